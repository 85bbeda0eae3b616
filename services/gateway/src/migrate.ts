// Applies the gateway's migrations and exits. It runs before the service, as the owner of the database.
import "@tradepost/runtime/require-node";

const { migrate } = await import("@tradepost/postgres");
const { databaseAddress, runTask } = await import("@tradepost/runtime");
const { DATABASE, migrationSettings } = await import("./config.ts");

await runTask(
  "gateway.migrate",
  migrationSettings,
  ({ GATEWAY_OWNER_DATABASE_URL: url, POSTGRES_CA_FILE }, logger) =>
    migrate({
      url: databaseAddress(url, { POSTGRES_CA_FILE }),
      folder: DATABASE.folder,
      logger,
    }),
);
