// Runs the webhooks service as its main.ts does, but with less patience for failing endpoints. The patience is not a setting,
// because tenants rely on it (interface §17).
import { runService } from "@tradepost/runtime";
import { settings } from "@tradepost/webhooks/config";
import { startWebhooks, stopTime } from "@tradepost/webhooks/service";
import { PATIENCE } from "./patience.ts";

await runService(
  "webhooks",
  settings,
  (read, logger) => startWebhooks(read, logger, { patience: PATIENCE }),
  stopTime,
);
