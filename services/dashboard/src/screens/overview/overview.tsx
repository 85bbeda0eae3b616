import { Link } from "@tanstack/react-router";
import type { DataOf } from "@tradepost/client/operations";
import { holderOf, type Me, useMe } from "../../data/me.ts";
import { useList } from "../../data/use-list.ts";
import { useRead } from "../../data/use-read.ts";
import { number } from "../../format/shop.ts";
import { isAllowed } from "../../session/roles.ts";
import { BehindTheScreen } from "../../ui/behind-the-screen.tsx";
import { Screen, Section } from "../../ui/screen.tsx";
import { Attention } from "./attention.tsx";
import { FirstSteps } from "./first-steps.tsx";
import { LatestDeliveries, LatestOrders } from "./latest.tsx";
import { salesQuery } from "./sales.ts";
import { Sales } from "./sales.tsx";
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
  const figures = useRead(
    "getOrderStatistics",
    { query: salesQuery(new Date()) },
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

type Open = DataOf<"getOrderStatistics">["open"];

const KINDS = [
  { count: "toFulfill", tab: "fulfill", one: "order not shipped", many: "orders not shipped" },
  { count: "readyToShip", tab: "ship", one: "paid, not shipped", many: "paid, not shipped" },
  { count: "paymentFailed", tab: "failed", one: "payment failed", many: "payments failed" },
  { count: "unpaid", tab: "unpaid", one: "order is unpaid", many: "orders are unpaid" },
  { count: "toDeliver", tab: "deliver", one: "order on the way", many: "orders on the way" },
] as const;

/** `open` is undefined until it is read. */
function ToDo({ open }: { readonly open: Open | undefined }) {
  const waiting = KINDS.filter(({ count }) => (open?.[count] ?? 0) > 0);
  return (
    <Section title="To do">
      {waiting.length === 0 ? (
        <p className="soft">{open === undefined ? "Looking…" : "Nothing right now."}</p>
      ) : (
        <ul className="latest">
          {waiting.map(({ count, tab, one, many }) => (
            <li key={tab}>
              <Link to="/orders" search={{ tab }}>
                <strong className="number">{number(open?.[count] ?? 0)}</strong>{" "}
                {open?.[count] === 1 ? one : many}
              </Link>
            </li>
          ))}
        </ul>
      )}
    </Section>
  );
}

const MODULES = [
  { name: "crm", title: "orders and customers" },
  { name: "content", title: "content, media and redirects" },
] as const;

function Shop({ me: { actor, tenant } }: { readonly me: Me }) {
  const active = MODULES.filter(({ name }) => tenant.modules.includes(name)).map(({ title }) => title);
  return (
    <p className="shop">
      Shop id <code>{tenant.id}</code> · Your role: {actor.role} · Active:{" "}
      {active.length > 0 ? active.join("; ") : "no module"}
    </p>
  );
}
