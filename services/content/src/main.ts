// Runs the content service until it receives a signal to stop.
import { runService } from "@tradepost/runtime";
import { settings } from "./config.ts";
import { startContent } from "./service.ts";

await runService("content", settings, startContent);
