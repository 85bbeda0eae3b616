// The filters above the request log.
import { OPERATIONS } from "@tradepost/client/operations";
import { type Actors, actorOptions } from "../../data/use-actors.ts";
import { fieldOf } from "../../format/local-time.ts";
import { Filters, InputFilter, MoreFilters, SelectFilter } from "../../ui/filters.tsx";
import { PeriodFilter } from "../../ui/period-filter.tsx";
import { type RequestsSearch, requestsSearch } from "./search.ts";

interface RequestFiltersProps {
  readonly search: RequestsSearch;
  readonly actors: Actors;
  readonly onChange: (search: RequestsSearch) => void;
}

export function RequestFilters({ search, actors, onChange }: RequestFiltersProps) {
  const { keyId, userId, status, route, from, to } = search;
  const changed = ({ who, ...values }: Readonly<Record<string, string>>) =>
    onChange(requestsSearch({ ...values, ...actorIn(who, actors, search) }));
  return (
    <Filters label="Filter requests" onChange={changed}>
      <SelectFilter
        label="Who"
        name="who"
        value={keyId ?? userId}
        options={actorOptions(actors, keyId ?? userId)}
      />
      <SelectFilter label="Route" name="route" value={route} options={routeOptions(route)} />
      <InputFilter
        label="Status"
        name="status"
        value={status === undefined ? undefined : String(status)}
        placeholder="422"
      />
      <MoreFilters isSet={from !== undefined || to !== undefined}>
        <PeriodFilter type="datetime-local" from={from && fieldOf(from)} to={to && fieldOf(to)} />
      </MoreFilters>
    </Filters>
  );
}

/** An actor who is no longer in the lists is still a key if the address says so. */
function actorIn(id: string | undefined, { keys }: Actors, { keyId }: RequestsSearch) {
  return id === keyId || keys.some((key) => key.id === id) ? { keyId: id } : { userId: id };
}

const ROUTES = [...new Set(Object.values(OPERATIONS).map(({ path }) => path.replace(/\{(\w+)\}/g, ":$1")))];

/** Adds the route of the address if the API description does not have it, such as the route of the assistants. */
function routeOptions(chosen: string | undefined) {
  const routes = chosen === undefined || ROUTES.includes(chosen) ? ROUTES : [...ROUTES, chosen];
  return routes.toSorted().map((value) => ({ value, text: value }));
}
