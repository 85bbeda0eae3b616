import { Link } from "@tanstack/react-router";
import type { DataOf } from "@tradepost/client/operations";
import { useIsAllowed, useMe } from "../../data/me.ts";
import { LIVE_MS, SLOW_MS, useList, useRead } from "../../data/operations.ts";
import { number } from "../../format/shop.ts";
import { dayOf, startOfDay } from "../../format/time.ts";
import { ListView } from "../../ui/list.tsx";
import { BehindTheScreen, Screen, Section } from "../../ui/screen.tsx";
import { LatestDeliveries } from "../deliveries/door.tsx";
import { OrderTable } from "../order-list/door.tsx";
import { SalesReport } from "../reports/door.tsx";
import { Attention } from "./attention.tsx";
import { FirstSteps } from "./first-steps.tsx";
import "./overview.css";

const LATEST = { limit: 5 };
const LATEST_DELIVERIES = { ...LATEST, include: "lastAttempt" } as const;
const ALL = { limit: 100 };
export default function Overview() {
  const me = useMe();
  const hasOrders = useIsAllowed({ role: "viewer", module: "crm" });
  const hasWebhooks = useIsAllowed({ role: "viewer", module: "content" });
  const isAdmin = useIsAllowed({ role: "admin" });
  const orders = useList("listOrders", LATEST, { everyMs: LIVE_MS, isAllowed: hasOrders });
  const deliveries = useList("listDeliveries", LATEST_DELIVERIES, {
    everyMs: LIVE_MS,
    isAllowed: hasWebhooks,
  });
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
      <FirstSteps
        has={{
          orders: orders.items,
          deliveries: deliveries.items,
          subscriptions: subscriptions.items,
          keys: keys.items,
        }}
      />
      {hasFigures && <ToDo open={figures.data?.open} />}
      <Attention subscriptions={hasWebhooks ? subscriptions : undefined} keys={isAdmin ? keys : undefined} />
      {hasFigures && (
        <Section title="Last 30 days" action={<Link to="/reports">Reports</Link>}>
          <SalesReport search={{}} />
        </Section>
      )}
      {hasOrders && (
        <Section title="Latest orders" action={<Link to="/orders">All orders</Link>}>
          <ListView
            list={{ ...orders, hasNextPage: false }}
            empty={<p className="soft">No order was placed yet.</p>}
          >
            {(latest) => <OrderTable orders={latest} />}
          </ListView>
        </Section>
      )}
      {hasWebhooks && (
        <LatestDeliveries
          list={deliveries}
          none={
            <>
              Nothing was delivered yet. <Link to="/events">Why did nothing arrive?</Link>
            </>
          }
        />
      )}
      {hasWebhooks && <BehindTheScreen operation="listDeliveries" input={{ query: LATEST_DELIVERIES }} />}
    </Screen>
  );
}

type Open = DataOf<"getOrderStatistics">["open"];

const KINDS = [
  { count: "paymentFailed", tab: "failed", text: "Payment failed", tone: "danger" },
  { count: "readyToShip", tab: "ship", text: "Ready to ship", tone: "good" },
  { count: "unpaid", tab: "unpaid", text: "Unpaid", tone: "warning" },
] as const;

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
