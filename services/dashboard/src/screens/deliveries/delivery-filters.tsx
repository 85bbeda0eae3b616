// The filters above the log. The less used ones are folded away until one of them is set.
import { useReceivers } from "../../data/use-receivers.ts";
import { fieldOf } from "../../format/local-time.ts";
import { DELIVERY_STATUSES, EVENT_TYPES, OUTCOMES } from "../../format/webhooks.ts";
import { Filters, InputFilter, MoreFilters, SelectFilter } from "../../ui/filters.tsx";
import { PeriodFilter } from "../../ui/period-filter.tsx";
import type { DeliveriesSearch } from "./search.ts";

interface DeliveryFiltersProps {
  readonly search: DeliveriesSearch;
  readonly onChange: (values: Readonly<Record<string, string>>) => void;
}

const STATUSES = Object.entries(DELIVERY_STATUSES).map(([value, { text }]) => ({ value, text }));
const TYPES = Object.entries(EVENT_TYPES).map(([value, text]) => ({ value, text }));
const OUTCOME_TEXTS = Object.entries(OUTCOMES).map(([value, text]) => ({
  value,
  text: text.charAt(0).toUpperCase() + text.slice(1),
}));

export function DeliveryFilters({ search, onChange }: DeliveryFiltersProps) {
  const { outcome, statusCode, eventId, from, to } = search;
  const isDetailed = [outcome, statusCode, eventId, from, to].some((value) => value !== undefined);
  return (
    <Filters label="Filter deliveries" onChange={onChange}>
      <SelectFilter
        label="Subscription"
        name="subscriptionId"
        value={search.subscriptionId}
        options={useReceiverOptions(search.subscriptionId)}
      />
      <SelectFilter label="Status" name="status" value={search.status} options={STATUSES} />
      <SelectFilter label="Event" name="type" value={search.type} options={TYPES} />
      <MoreFilters isSet={isDetailed}>
        <PeriodFilter type="datetime-local" from={from && fieldOf(from)} to={to && fieldOf(to)} />
        <SelectFilter label="Last outcome" name="outcome" value={outcome} options={OUTCOME_TEXTS} />
        <InputFilter
          label="Status code"
          name="statusCode"
          value={statusCode === undefined ? undefined : String(statusCode)}
          placeholder="500"
        />
        <InputFilter label="Event id" name="eventId" value={eventId} />
      </MoreFilters>
    </Filters>
  );
}

/** Adds the filtered subscription if it was deleted, because its deliveries are still in the log. */
function useReceiverOptions(chosen: string | undefined) {
  const { all = [], find } = useReceivers();
  const options = all.map(({ id, name, kind }) => ({
    value: id,
    text: kind === "listener" ? `${name} (listener)` : name,
  }));
  if (chosen === undefined || options.some(({ value }) => value === chosen)) return options;
  return [
    ...options,
    { value: chosen, text: find(chosen) === null ? `Deleted (…${chosen.slice(-8)})` : "…" },
  ];
}
