// Runs the webhooks service until it is told to stop.
import { runService } from "@tradepost/runtime";
import { settings } from "./config.ts";
import { startWebhooks } from "./service.ts";

await runService("webhooks", settings, startWebhooks);
