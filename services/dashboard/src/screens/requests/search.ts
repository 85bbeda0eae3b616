import type { QueryOf } from "@tradepost/client/operations";
import { flagOf, given, PERIOD, parameters, textOf, uuidOf, within } from "../../format/search-values.ts";

const ROUTE_CHARACTERS_MAX = 200;

export type RequestsSearch = ReturnType<typeof requestsSearch>;

const typed = parameters({
  keyId: uuidOf,
  userId: uuidOf,
  people: flagOf,
  status: within(100, 599),
  route: (value) => textOf(value)?.slice(0, ROUTE_CHARACTERS_MAX),
  ...PERIOD,
});

/**
 * Returns at most one of `keyId`, `userId` and `people`. Without any, the list shows requests of programs. `route` is a path
 * pattern: `/v1/orders/:id`.
 */
export function requestsSearch(search: Record<string, unknown>) {
  const { keyId, userId, people, ...same } = typed(search);
  const isOfAny = keyId === undefined && userId === undefined;
  return given({ ...same, keyId, userId: keyId ? undefined : userId, people: isOfAny ? people : undefined });
}

export function queryOf({ from, to, people, ...same }: RequestsSearch): QueryOf<"listRequests"> {
  const isOfPrograms = !people && same.keyId === undefined && same.userId === undefined;
  return given({
    ...same,
    actorType: isOfPrograms ? ("api_key" as const) : undefined,
    after: from,
    before: to,
  });
}
