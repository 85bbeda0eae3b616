// The filters above the orders. The less used ones are folded away until one of them is set.
import { CHANNELS, ORDER_STATUSES, PAYMENT_STATUSES } from "../../format/order-words.ts";
import { Filters, InputFilter, MoreFilters, SelectFilter } from "../../ui/filters.tsx";
import { PeriodFilter } from "../../ui/period-filter.tsx";
import type { OrdersSearch } from "./search.ts";

interface OrderFiltersProps {
  readonly search: OrdersSearch;
  readonly onChange: (values: Readonly<Record<string, string>>) => void;
}

const STATUSES = Object.entries(ORDER_STATUSES).map(([value, { text }]) => ({ value, text }));
const PAYMENTS = Object.entries(PAYMENT_STATUSES).map(([value, { text }]) => ({ value, text }));
const CHANNEL_TEXTS = Object.entries(CHANNELS).map(([value, text]) => ({ value, text }));

export function OrderFilters({ search, onChange }: OrderFiltersProps) {
  const { tab, channel, externalId, from, to } = search;
  const isDetailed = [channel, externalId, from, to].some((value) => value !== undefined);
  return (
    <Filters label="Filter orders" onChange={onChange}>
      <InputFilter label="Search" name="search" value={search.search} placeholder="Name, number…" />
      {tab === undefined && (
        <>
          <SelectFilter label="Status" name="status" value={search.status} options={STATUSES} />
          <SelectFilter label="Payment" name="payment" value={search.payment} options={PAYMENTS} />
        </>
      )}
      <MoreFilters isSet={isDetailed}>
        <SelectFilter label="Channel" name="channel" value={channel} options={CHANNEL_TEXTS} />
        <InputFilter label="External id" name="externalId" value={externalId} />
        <PeriodFilter type="date" from={from} to={to} />
      </MoreFilters>
    </Filters>
  );
}
