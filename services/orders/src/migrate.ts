// Migrates the database of the orders service, as its owner, and exits. Run it before the service.
import { migrate } from "@tradepost/postgres";
import { runTask } from "@tradepost/runtime";
import { migrationSettings } from "./config.ts";

await runTask("orders.migrate", migrationSettings, ({ ORDERS_OWNER_DATABASE_URL: url }, logger) =>
  migrate({ url, folder: new URL("../migrations/", import.meta.url), logger }),
);
