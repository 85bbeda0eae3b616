// The route by which the gateway asks a service which audit entries it has published (decision 0017). Its path does not begin with /v1,
// so no client reaches it through the gateway.
import { z } from "zod";
import { ok } from "./api-response.ts";
import { type Route, route } from "./route.ts";

/** The path of the route. */
export const AUDIT_TALLY_PATH = "/internal/audit-tally";

/** What a service responds with: the entries that it published before `until`, and whether there is more to ask for. */
export const auditTally = z.object({
  until: z.iso.datetime({ offset: true }),
  entries: z.array(z.object({ tenantId: z.uuid(), entryId: z.uuid() })).readonly(),
  hasMore: z.boolean(),
});

const tallyQuery = z.strictObject({
  since: z.iso.datetime({ offset: true }),
  ageMs: z.coerce.number().int().nonnegative().max(3_600_000),
});

/** Returns the route. `read` returns what was published since `since`, and is at least `ageMs` old. It is asked for every 30 seconds. */
export function auditTallyRoute(
  read: (asked: z.output<typeof tallyQuery>) => Promise<z.output<typeof auditTally>>,
): Route {
  return route({
    method: "GET",
    path: AUDIT_TALLY_PATH,
    module: null,
    role: "owner",
    scope: null,
    query: tallyQuery,
    about: null,
    handle: async ({ query }) => ok(await read(query)),
  });
}
