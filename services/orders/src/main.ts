// Runs the orders service until a signal stops it.
import { runService } from "@tradepost/runtime";
import { settings } from "./config.ts";
import { startOrders } from "./service.ts";

await runService("orders", settings, startOrders);
