import "@tradepost/runtime/require-node";

const { readService, runServices } = await import("@tradepost/runtime");
const { settings } = await import("./config.ts");
const { startContent } = await import("./service.ts");

await runServices([readService("content", settings, startContent)]);
