// Applies the gateway's migrations and exits. It runs before the service, as the owner of the database.
import { migrate } from "@tradepost/postgres";
import { runTask } from "@tradepost/runtime";
import { migrationSettings } from "./config.ts";

await runTask("gateway.migrate", migrationSettings, ({ GATEWAY_OWNER_DATABASE_URL: url }, logger) =>
  migrate({ url, folder: new URL("../migrations/", import.meta.url), logger }),
);
