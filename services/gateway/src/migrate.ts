// Applies the gateway's migrations and exits. It runs before the service, as the owner of the database.
import { migrate } from "@tradepost/postgres";
import { databaseAddress, runTask } from "@tradepost/runtime";
import { migrationSettings } from "./config.ts";

await runTask(
  "gateway.migrate",
  migrationSettings,
  ({ GATEWAY_OWNER_DATABASE_URL: url, POSTGRES_CA_FILE }, logger) =>
    migrate({
      url: databaseAddress(url, { POSTGRES_CA_FILE }),
      folder: new URL("../migrations/", import.meta.url),
      logger,
    }),
);
