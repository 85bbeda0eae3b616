import "@tradepost/runtime/require-node";

const { readService, runServices } = await import("@tradepost/runtime");
const { settings } = await import("./config.ts");
const { STOP_MS, startGateway } = await import("./service.ts");

await runServices([readService("gateway", settings, startGateway, { stopMs: () => STOP_MS })]);
