import "@tradepost/runtime/require-node";

const { runService } = await import("@tradepost/runtime");
const { settings } = await import("./config.ts");
const { startWebhooks, stopTime } = await import("./service.ts");

await runService("webhooks", settings, startWebhooks, stopTime);
