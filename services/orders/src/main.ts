import "@tradepost/runtime/require-node";

const { readService, runServices } = await import("@tradepost/runtime");
const { settings } = await import("./config.ts");
const { startOrders } = await import("./service.ts");

await runServices([readService("orders", settings, startOrders)]);
