// Runs the orders service until it is told to stop.
import { runService } from "@tradepost/runtime";
import { settings } from "./config.ts";
import { startOrders } from "./service.ts";

await runService("orders", settings, startOrders);
