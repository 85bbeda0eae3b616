import { Link } from "@tanstack/react-router";
import type { DataOf } from "@tradepost/client/operations";
import { holderOf, type Me, useMe } from "../../data/me.ts";
import { useList } from "../../data/use-list.ts";
import { useRead } from "../../data/use-read.ts";
import { number } from "../../format/shop.ts";
import { dayOf, startOfDay } from "../../format/time.ts";
import { isAllowed } from "../../session/roles.ts";
import { BehindTheScreen } from "../../ui/behind-the-screen.tsx";
import { Screen, Section } from "../../ui/screen.tsx";
import { SalesReport } from "../reports/door.tsx";
import { Attention } from "./attention.tsx";
import { FirstSteps } from "./first-steps.tsx";
import { LatestDeliveries, LatestOrders } from "./latest.tsx";
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
  const today = dayOf(new Date());
  const figures = useRead(
    "getOrderStatistics",
    { query: { from: startOfDay(today), to: startOfDay(today, 1) } },
    { everyMs: SLOW_MS, isAllowed: hasOrders },
  );
  // Before the first order there is nothing to sum up.
  const hasFigures = hasOrders && orders.items?.length !== 0;
  return (
    <Screen title={me.tenant.name} intro={`Welcome, ${me.actor.name}.`}>
      <FirstSteps orders={orders} deliveries={deliveries} subscriptions={subscriptions} keys={keys} />
      {hasFigures && <ToDo open={figures.data?.open} />}
      <Attention subscriptions={hasWebhooks ? subscriptions : undefined} keys={isAdmin ? keys : undefined} />
      {hasFigures && (
        <Section title="Last 30 days" action={<Link to="/reports">Reports</Link>}>
          <SalesReport search={{}} />
        </Section>
      )}
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
  { count: "paymentFailed", tab: "failed", text: "Payment failed", tone: "danger" },
  { count: "readyToShip", tab: "ship", text: "Ready to ship", tone: "good" },
  { count: "unpaid", tab: "unpaid", text: "Unpaid", tone: "warning" },
] as const;

/** `open` is undefined until it is read. */
function ToDo({ open }: { readonly open: Open | undefined }) {
  return (
    <nav className="to-do" aria-label="To do">
      {KINDS.map(({ count, tab, text, tone }) => (
        <Link
          key={tab}
          to="/orders"
          search={{ tab }}
          className={`to-do-link ${open?.[count] ? `to-do-${tone}` : ""}`}
        >
          <strong className="number">{open === undefined ? "–" : number(open[count])}</strong> {text}
        </Link>
      ))}
    </nav>
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
