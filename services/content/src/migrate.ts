// Migrates the database of the content service and exits. It runs before the service, as the owner of the database.
import { migrate } from "@tradepost/postgres";
import { runTask } from "@tradepost/runtime";
import { migrationSettings } from "./config.ts";

await runTask("content.migrate", migrationSettings, ({ CONTENT_OWNER_DATABASE_URL: url }, logger) =>
  migrate({ url, folder: new URL("../migrations/", import.meta.url), logger }),
);
