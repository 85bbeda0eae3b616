// Migrates the database of the content service and exits. It runs before the service, as the owner of the database.
import { migrate } from "@tradepost/postgres";
import { runTask, withDatabaseCa } from "@tradepost/runtime";
import { migrationSettings } from "./config.ts";

await runTask(
  "content.migrate",
  migrationSettings,
  ({ CONTENT_OWNER_DATABASE_URL: url, POSTGRES_CA_FILE: caFile }, logger) =>
    migrate({ url: withDatabaseCa(url, caFile), folder: new URL("../migrations/", import.meta.url), logger }),
);
