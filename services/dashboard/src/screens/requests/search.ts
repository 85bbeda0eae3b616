import type { QueryOf } from "@tradepost/client/operations";
import { flagOf, given, isUuid, numberIn, textOf } from "../../format/search-values.ts";
import { instantOf } from "../../format/time.ts";

const ROUTE_CHARACTERS_MAX = 200;

export type RequestsSearch = ReturnType<typeof requestsSearch>;

/**
 * Returns at most one of `keyId`, `userId` and `people`. Without any, the list shows requests of programs. `route` is a path
 * pattern: `/v1/orders/:id`. `from` is inclusive and `to` is not.
 */
export function requestsSearch(search: Record<string, unknown>) {
  const { keyId, userId } = search;
  return given({
    keyId: isUuid(keyId) ? keyId : undefined,
    userId: isUuid(userId) && !isUuid(keyId) ? userId : undefined,
    people: isUuid(keyId) || isUuid(userId) ? undefined : flagOf(search.people),
    status: numberIn(100, 599, search.status),
    route: textOf(search.route)?.slice(0, ROUTE_CHARACTERS_MAX),
    from: instantOf(String(search.from)),
    to: instantOf(String(search.to)),
  });
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
