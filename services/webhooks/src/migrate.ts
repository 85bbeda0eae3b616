// Runs the pending migrations of the webhooks database and exits. Run it before the service, as the owner of the database.
import "@tradepost/runtime/require-node";

const { runMigrations } = await import("@tradepost/postgres");
const { DATABASE } = await import("./config.ts");

await runMigrations("webhooks", DATABASE.folder);
