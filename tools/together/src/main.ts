// Runs several services in one process, for small installations: TARGET names them, separated by commas; `all` by default. Each has
// its own settings, database, broker user, pools, port and readiness, and the gateway reaches the others over HTTP, as it does in
// processes of their own. They share one core, one heap and one fate: if one fails, all end.
import "@tradepost/runtime/require-node";

const { settings: contentSettings } = await import("@tradepost/content/config");
const { startContent } = await import("@tradepost/content/service");
const { settings: gatewaySettings } = await import("@tradepost/gateway/config");
const { STOP_MS, startGateway } = await import("@tradepost/gateway/service");
const { settings: ordersSettings } = await import("@tradepost/orders/config");
const { startOrders } = await import("@tradepost/orders/service");
const { environmentOf, readService, runServices } = await import("@tradepost/runtime");
const { settings: webhooksSettings } = await import("@tradepost/webhooks/config");
const { startWebhooks, stopTime } = await import("@tradepost/webhooks/service");

const of = (service: string) => environmentOf(service, process.env);
const behindGateway = { orders: ordersSettings, content: contentSettings, webhooks: webhooksSettings };

/** The addresses of the services in this process, for the gateway. */
function nearby() {
  const here = Object.entries(behindGateway).filter(([name]) => wanted.includes(name as ServiceName));
  const addresses = here.map(([name, { shape }]) => {
    const port = shape.PORT.parse(of(name).PORT);
    return [`${name.toUpperCase()}_URL`, `http://127.0.0.1:${port}`];
  });
  return Object.fromEntries(addresses) as Record<string, string>;
}

/** The gateway stops first, so that it forwards nothing to a service that has stopped. */
const SERVICES = {
  gateway: () =>
    readService("gateway", gatewaySettings, startGateway, {
      stopMs: () => STOP_MS,
      environment: { ...nearby(), ...of("gateway") },
    }),
  orders: () => readService("orders", ordersSettings, startOrders, { environment: of("orders") }),
  content: () => readService("content", contentSettings, startContent, { environment: of("content") }),
  webhooks: () =>
    readService("webhooks", webhooksSettings, startWebhooks, {
      stopMs: stopTime,
      environment: of("webhooks"),
    }),
};

type ServiceName = keyof typeof SERVICES;
const NAMES = Object.keys(SERVICES) as ServiceName[];

const target = process.env.TARGET || "all";
const wanted = target === "all" ? NAMES : NAMES.filter((name) => target.split(",").includes(name));
const [first, ...rest] = wanted;
if (first === undefined || (target !== "all" && wanted.length < target.split(",").length)) {
  console.error(`TARGET must be "all" or some of ${NAMES.join(", ")}, separated by commas.`);
  process.exit(1);
}
await runServices([SERVICES[first](), ...rest.map((name) => SERVICES[name]())]);
