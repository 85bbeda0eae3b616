// The first screen of a signed-in user: the first steps of a new shop, the open work, the sales, and the latest orders and
// deliveries.
import { holderOf, useMe } from "../../data/me.ts";
import { useList } from "../../data/use-list.ts";
import { useRead } from "../../data/use-read.ts";
import { isAllowed } from "../../session/roles.ts";
import { BehindTheScreen } from "../../ui/behind-the-screen.tsx";
import { Screen } from "../../ui/screen.tsx";
import { Attention } from "./attention.tsx";
import { FirstSteps } from "./first-steps.tsx";
import { LatestDeliveries } from "./latest-deliveries.tsx";
import { LatestOrders } from "./latest-orders.tsx";
import { salesQuery } from "./sales.ts";
import { Sales } from "./sales.tsx";
import { Shop } from "./shop.tsx";
import { ToDo } from "./to-do.tsx";
import "./overview.css";

const LATEST = { limit: 5 };
const ALL = { limit: 100 };
const LIVE_MS = 5_000;
const SLOW_MS = 10_000;

export default function Overview() {
  const me = useMe();
  const hasOrders = isAllowed(holderOf(me), { role: "viewer", module: "crm" });
  const hasWebhooks = isAllowed(holderOf(me), { role: "viewer", module: "content" });
  const isAdmin = isAllowed(holderOf(me), { role: "admin" });
  const orders = useList("listOrders", LATEST, { everyMs: LIVE_MS, isAllowed: hasOrders });
  const deliveries = useList("listDeliveries", LATEST, { everyMs: LIVE_MS, isAllowed: hasWebhooks });
  const subscriptions = useList("listSubscriptions", ALL, { everyMs: SLOW_MS, isAllowed: hasWebhooks });
  const keys = useList("listApiKeys", ALL, { everyMs: SLOW_MS, isAllowed: isAdmin });
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
  const figures = useRead(
    "getOrderStatistics",
    { query: salesQuery(new Date(), timeZone) },
    { everyMs: SLOW_MS, isAllowed: hasOrders },
  );
  // Before the first order there is nothing to sum up.
  const hasFigures = hasOrders && orders.items?.length !== 0;
  return (
    <Screen title={me.tenant.name} intro={`Welcome, ${me.actor.name}.`}>
      <FirstSteps orders={orders} deliveries={deliveries} subscriptions={subscriptions} keys={keys} />
      <div className="latest-columns">
        {hasFigures && <ToDo open={figures.data?.open} />}
        <Attention
          subscriptions={hasWebhooks ? subscriptions : undefined}
          keys={isAdmin ? keys : undefined}
        />
      </div>
      {hasFigures && <Sales read={figures} />}
      <div className="latest-columns">
        {hasOrders && <LatestOrders orders={orders} />}
        {hasWebhooks && <LatestDeliveries deliveries={deliveries} />}
      </div>
      <Shop me={me} />
      {hasWebhooks && <BehindTheScreen operation="listDeliveries" input={{ query: LATEST }} />}
    </Screen>
  );
}
