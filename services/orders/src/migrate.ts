// Runs the migrations, as the owner of the database, and exits.
import "@tradepost/runtime/require-node";

const { runMigrations } = await import("@tradepost/postgres");
const { DATABASE } = await import("./config.ts");

await runMigrations("orders", DATABASE.folder);
