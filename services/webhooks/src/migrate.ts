// Runs the pending migrations of the webhooks database and exits. Run it before the service, as the owner of the database.
import { migrate } from "@tradepost/postgres";
import { runTask } from "@tradepost/runtime";
import { migrationSettings } from "./config.ts";

await runTask("webhooks.migrate", migrationSettings, ({ WEBHOOKS_OWNER_DATABASE_URL: url }, logger) =>
  migrate({ url, folder: new URL("../migrations/", import.meta.url), logger }),
);
