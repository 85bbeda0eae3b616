// The filters above the orders. The less used ones are folded away until one of them is set.
import { Link } from "@tanstack/react-router";
import { useEffect, useRef } from "react";
import { SLOW_MS, useRead } from "../../data/operations.ts";
import { CHANNELS, ORDER_STATUSES, PAYMENT_STATUSES } from "../../format/order-words.ts";
import { number } from "../../format/shop.ts";
import { DAY_MS } from "../../format/time.ts";
import { optionsOf } from "../../format/words.ts";
import { Filters, InputFilter, MoreFilters, PeriodFilter, SelectFilter } from "../../ui/filters.tsx";
import { type OrdersSearch, TABS, type Tab as TabName } from "./search.ts";
import "./order-filters.css";

interface OrderFiltersProps {
  readonly search: OrdersSearch;
  readonly onChange: (values: Readonly<Record<string, string>>) => void;
}

export function OrderFilters({ search, onChange }: OrderFiltersProps) {
  return (
    <Filters label="Filter orders" values={search} onChange={onChange}>
      <InputFilter label="Search" name="search" placeholder="Name, number…" />
      {search.tab === undefined && (
        <>
          <SelectFilter label="Status" name="status" options={optionsOf(ORDER_STATUSES)} />
          <SelectFilter label="Payment" name="payment" options={optionsOf(PAYMENT_STATUSES)} />
        </>
      )}
      <MoreFilters>
        <SelectFilter label="Channel" name="channel" options={optionsOf(CHANNELS)} />
        <InputFilter label="External id" name="externalId" />
        <InputFilter label="SKU" name="sku" />
        <PeriodFilter type="date" />
      </MoreFilters>
    </Filters>
  );
}

// A tab is open only if the address has all of its filters and no others.
const EXACT = { exact: true };

export function OrderTabs({ search }: { readonly search: OrdersSearch }) {
  const open = useOpenOrders();
  const names = Object.keys(TABS) as TabName[];
  const list = useRef<HTMLUListElement>(null);
  const shown = useRef<Element>(null);
  // On a phone the open tab, which the router marks, may be out of sight.
  useEffect(() => {
    const current = list.current?.querySelector<HTMLElement>("[aria-current]") ?? null;
    if (current === shown.current) return;
    shown.current = current;
    if (!list.current || !current) return;
    list.current.scrollTo({
      left: current.offsetLeft + (current.offsetWidth - list.current.clientWidth) / 2,
    });
  });
  // A tab determines the statuses. The other filters stay.
  const { tab, status: _, payment: __, ...filters } = search;
  return (
    <nav className="tabs" aria-label="Orders by what is to do">
      <ul ref={list}>
        <li>
          <Link to="/orders" search={tab === undefined ? search : filters} activeOptions={EXACT}>
            All
          </Link>
        </li>
        {names.map((name) => {
          const { text, ...others } = TABS[name];
          const count = "count" in others ? open?.[others.count] : undefined;
          return (
            <li key={name}>
              <Link to="/orders" search={{ ...filters, tab: name }} activeOptions={EXACT}>
                {text} {count !== undefined && <span className="tab-count number">{number(count)}</span>}
              </Link>
            </li>
          );
        })}
      </ul>
    </nav>
  );
}

/** The endpoint requires a period; the open counts ignore it. */
function useOpenOrders() {
  const to = new Date(Math.ceil(Date.now() / DAY_MS) * DAY_MS).toISOString();
  const from = new Date(Date.parse(to) - DAY_MS).toISOString();
  return useRead("getOrderStatistics", { query: { from, to } }, { everyMs: SLOW_MS }).data?.open;
}
