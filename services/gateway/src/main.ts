// Runs the gateway until the process receives a signal to stop.
import { runService } from "@tradepost/runtime";
import { settings } from "./config.ts";
import { STOP_MS, startGateway } from "./service.ts";

await runService("gateway", settings, startGateway, () => STOP_MS);
