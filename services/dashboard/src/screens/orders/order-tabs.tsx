// The tabs above the orders, with how many orders wait in each.
import { Link } from "@tanstack/react-router";
import { useRead } from "../../data/use-read.ts";
import { Tab, TabCount, Tabs } from "../../ui/tabs.tsx";
import type { OrdersSearch } from "./search.ts";
import { TABS, type Tab as TabName } from "./tabs.ts";

const LIVE_MS = 10_000;
// A tab is open only if the address has all of its filters and no others.
const EXACT = { exact: true };
const DAY_MS = 24 * 3_600_000;

export function OrderTabs({ search }: { readonly search: OrdersSearch }) {
  const open = useOpenOrders();
  const names = Object.keys(TABS) as TabName[];
  // A tab determines the statuses. The other filters stay.
  const { tab, status: _, payment: __, ...filters } = search;
  return (
    <Tabs label="Orders by what is to do">
      <Tab>
        <Link to="/orders" search={tab === undefined ? search : filters} activeOptions={EXACT}>
          All
        </Link>
      </Tab>
      {names.map((name) => {
        const { text, ...others } = TABS[name];
        return (
          <Tab key={name}>
            <Link to="/orders" search={{ ...filters, tab: name }} activeOptions={EXACT}>
              {text} <TabCount count={"count" in others ? open?.[others.count] : undefined} />
            </Link>
          </Tab>
        );
      })}
    </Tabs>
  );
}

/** Counts the open orders, whenever they were placed. The request has a day because its other figures need one. */
function useOpenOrders() {
  const to = new Date(Math.ceil(Date.now() / DAY_MS) * DAY_MS).toISOString();
  const from = new Date(Date.parse(to) - DAY_MS).toISOString();
  return useRead("getOrderStatistics", { query: { from, to } }, { everyMs: LIVE_MS }).data?.open;
}
