// Starts a service in the test's own process. A separate process would compile and warm up its code, which takes several times the
// CPU time of most tests.
import { settings as content } from "@tradepost/content/config";
import { startContent } from "@tradepost/content/service";
import { settings as gateway } from "@tradepost/gateway/config";
import { type StartOptions, startGateway } from "@tradepost/gateway/service";
import { settings as orders } from "@tradepost/orders/config";
import { startOrders } from "@tradepost/orders/service";
import { type Logger, readSettings } from "@tradepost/runtime";
import { settings as webhooks } from "@tradepost/webhooks/config";
import { startWebhooks } from "@tradepost/webhooks/service";

type Environment = Record<string, string>;

export const startService = {
  gateway: (environment: Environment, logger: Logger, options?: StartOptions) =>
    startGateway(readSettings(gateway, environment), logger, options),
  orders: (environment: Environment, logger: Logger) =>
    startOrders(readSettings(orders, environment), logger),
  content: (environment: Environment, logger: Logger) =>
    startContent(readSettings(content, environment), logger),
  webhooks: (environment: Environment, logger: Logger) =>
    startWebhooks(readSettings(webhooks, environment), logger),
};
