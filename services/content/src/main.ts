import "@tradepost/runtime/require-node";

const { runService } = await import("@tradepost/runtime");
const { settings } = await import("./config.ts");
const { startContent } = await import("./service.ts");

await runService("content", settings, startContent);
