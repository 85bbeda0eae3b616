import "@tradepost/runtime/require-node";

const { runService } = await import("@tradepost/runtime");
const { settings } = await import("./config.ts");
const { startOrders } = await import("./service.ts");

await runService("orders", settings, startOrders);
