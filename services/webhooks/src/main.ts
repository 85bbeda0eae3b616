// Runs the webhooks service until SIGTERM or SIGINT.
import { runService } from "@tradepost/runtime";
import { settings } from "./config.ts";
import { startWebhooks, stopTime } from "./service.ts";

await runService("webhooks", settings, startWebhooks, stopTime);
