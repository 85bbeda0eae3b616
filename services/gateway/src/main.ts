// Runs the gateway until the process receives a signal to stop.
import { runService } from "@tradepost/runtime";
import { settings } from "./config.ts";
import { startGateway } from "./service.ts";

await runService("gateway", settings, startGateway);
