import "@tradepost/runtime/require-node";

const { runService } = await import("@tradepost/runtime");
const { settings } = await import("./config.ts");
const { STOP_MS, startGateway } = await import("./service.ts");

await runService("gateway", settings, startGateway, () => STOP_MS);
