// Migrates the database of the orders service, as its owner, and exits. Run it before the service.
import "@tradepost/runtime/require-node";

const { runMigrations } = await import("@tradepost/postgres");
const { DATABASE } = await import("./config.ts");

await runMigrations("orders", DATABASE.folder);
