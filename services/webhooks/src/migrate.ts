// Brings the database of the webhooks service to the newest migration and exits. It runs before the service, as the owner.
import { migrate } from "@tradepost/postgres";
import { runTask } from "@tradepost/runtime";
import { migrationSettings } from "./config.ts";

await runTask("webhooks.migrate", migrationSettings, ({ WEBHOOKS_OWNER_DATABASE_URL: url }, logger) =>
  migrate({ url, folder: new URL("../migrations/", import.meta.url), logger }),
);
