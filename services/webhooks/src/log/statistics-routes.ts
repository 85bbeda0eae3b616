// The route of the statistics of attempts (interface §19).
import { data, invalid, ok, route, storableTime } from "@tradepost/http";
import { z } from "zod";
import { sightOf } from "../offered-types.ts";
import { READ, type RouteContext } from "../route-context.ts";
import { type Buckets, countOf, counts, readStatistics, STEP_MS } from "./statistics-store.ts";

const BUCKETS_MAX = 400;
const RANGE_DEFAULT = { minute: 60, hour: 24, day: 30 } as const;

const time = storableTime.transform((text) => new Date(text));

const statisticsQuery = z.strictObject({
  subscriptionId: z.uuid("must be a UUID").optional().describe("Only attempts at this subscription."),
  from: time.optional().describe("Inclusive. By default 60 minutes, 24 hours or 30 days before `to`."),
  to: time.optional().describe("Exclusive. Now by default."),
  by: z
    .enum(["minute", "hour", "day"], "must be one of minute, hour, day")
    .default("hour")
    .describe("The length of a bucket, in UTC."),
});

type StatisticsQuery = z.output<typeof statisticsQuery>;

/** @throws 422 if `to` is not after `from`, or if there are more than 400 buckets. */
function bucketsOf({ by, to = new Date(), from }: StatisticsQuery): Buckets {
  const buckets = { by, to, from: from ?? new Date(to.getTime() - RANGE_DEFAULT[by] * STEP_MS[by]) };
  if (buckets.from >= to) throw invalid([{ path: "to", message: "must be after from" }]);
  if (countOf(buckets) > BUCKETS_MAX)
    throw invalid([{ path: "by", message: `must leave at most ${BUCKETS_MAX} buckets` }]);
  return buckets;
}

const statistics = z
  .strictObject({
    buckets: z.array(
      z.strictObject({ at: z.iso.datetime().describe("The start of the bucket."), ...counts.shape }),
    ),
    total: counts.describe("All attempts from `from` to `to`."),
  })
  .meta({ id: "WebhookStatistics", description: "Attempts by the time at which they began." });

const read = ({ tenants }: Pick<RouteContext, "tenants">) =>
  route("GET /v1/webhooks/statistics", {
    ...READ,
    query: statisticsQuery,
    isHeavy: true,
    about: {
      id: "getWebhookStatistics",
      tag: "Webhook deliveries",
      summary: "Count attempts by minute, hour or day",
      description: "At most 400 buckets; empty ones are there too.",
      responses: { 200: data(statistics) },
    },
    handle: async ({ principal, query }) => {
      const [tenant, buckets] = [tenants.of(principal.tenantId), bucketsOf(query)];
      return ok(await readStatistics(tenant, query.subscriptionId, buckets, sightOf(principal)));
    },
  });

export const statisticsRoutes = [read];
