// Runs the pending migrations of the webhooks database and exits. Run it before the service, as the owner of the database.
import "@tradepost/runtime/require-node";

const { migrate } = await import("@tradepost/postgres");
const { databaseAddress, runTask } = await import("@tradepost/runtime");
const { DATABASE, migrationSettings } = await import("./config.ts");

await runTask(
  "webhooks.migrate",
  migrationSettings,
  ({ WEBHOOKS_OWNER_DATABASE_URL: url, POSTGRES_CA_FILE }, logger) =>
    migrate({
      url: databaseAddress(url, { POSTGRES_CA_FILE }),
      folder: DATABASE.folder,
      logger,
    }),
);
