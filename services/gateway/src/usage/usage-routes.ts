// The route of a tenant's usage (interface §19).
import { data, ok, route } from "@tradepost/http";
import { tenantOf } from "@tradepost/postgres";
import type { Kysely } from "kysely";
import { z } from "zod";
import { ADMIN } from "../requirements.ts";
import type { Tables } from "../tables.ts";
import type { Usage } from "./start-usage.ts";
import { readRequestDays } from "./usage-store.ts";

export interface UsageContext {
  readonly db: Kysely<Tables>;
  readonly usage: Pick<Usage, "read">;
}

const count = z.int().nonnegative();
const max = z.int().positive().nullable();

const usage = z
  .strictObject({
    orders: count,
    customers: count,
    entries: count,
    redirects: count,
    mediaBytes: count.describe("Of the files of media and their variants."),
    eventBytes: count.describe("Of the events kept in the change feeds and the log of webhooks."),
    deliveriesWaiting: count.describe("Neither closed, paused nor being sent."),
    requests: z
      .array(
        z.strictObject({
          day: z.string().describe("Of UTC: `YYYY-MM-DD`."),
          count,
          refused: count.describe("Those with the status 429."),
        }),
      )
      .describe("Of the last 31 days with requests, the latest first."),
    quotas: z
      .strictObject({ mediaBytes: max, eventBytes: max })
      .describe("Beyond one, what would add to it is 409 `quota_exceeded`; null is no quota."),
  })
  .meta({ id: "Usage", description: "What a tenant uses, and its quotas." });

const read = ({ db, usage: counted }: UsageContext) =>
  route("GET /v1/usage", {
    ...ADMIN,
    about: {
      id: "getUsage",
      tag: "Usage",
      summary: "Get what the tenant uses",
      description: "At most 5 minutes old. 503 if a service cannot be asked.",
      responses: { 200: data(usage) },
    },
    handle: async ({ principal: { tenantId } }) => {
      const { counts, used, max: quotas } = await counted.read(tenantId);
      const { orders = 0, customers = 0, entries = 0, redirects = 0, deliveriesWaiting = 0 } = counts;
      return ok({
        ...{ orders, customers, entries, redirects, ...used, deliveriesWaiting },
        requests: await readRequestDays(tenantOf(db, tenantId)),
        quotas,
      });
    },
  });

export const usageRoutes = [read];
