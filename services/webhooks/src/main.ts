import "@tradepost/runtime/require-node";

const { readService, runServices } = await import("@tradepost/runtime");
const { settings } = await import("./config.ts");
const { startWebhooks, stopTime } = await import("./service.ts");

await runServices([readService("webhooks", settings, startWebhooks, { stopMs: stopTime })]);
