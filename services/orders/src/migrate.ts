// Migrates the database of the orders service, as its owner, and exits. Run it before the service.
import "@tradepost/runtime/require-node";

const { migrate } = await import("@tradepost/postgres");
const { databaseAddress, runTask } = await import("@tradepost/runtime");
const { DATABASE, migrationSettings } = await import("./config.ts");

await runTask(
  "orders.migrate",
  migrationSettings,
  ({ ORDERS_OWNER_DATABASE_URL: url, POSTGRES_CA_FILE }, logger) =>
    migrate({
      url: databaseAddress(url, { POSTGRES_CA_FILE }),
      folder: DATABASE.folder,
      logger,
    }),
);
