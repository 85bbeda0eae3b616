// Migrates the database of the content service and exits. It runs before the service, as the owner of the database.
import "@tradepost/runtime/require-node";

const { runMigrations } = await import("@tradepost/postgres");
const { DATABASE } = await import("./config.ts");

await runMigrations("content", DATABASE.folder);
