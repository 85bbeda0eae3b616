// The routes of the ledger (interface §18).
import { subscribableType } from "@tradepost/event-catalog";
import {
  data,
  listed,
  notFound,
  ok,
  type Position,
  page,
  pageQuery,
  required,
  route,
  shaped,
} from "@tradepost/http";
import { z } from "zod";
import { sightOf } from "../offered-types.ts";
import { READ, type RouteContext } from "../route-context.ts";
import { isOver, listDelivered, type Period, readLedger, typeCounts } from "./ledger-store.ts";

interface LedgerContext extends Pick<RouteContext, "tenants" | "writers"> {
  readonly logDays: number;
}

const tag = "Webhook ledger";
const DIGEST = /^[0-9a-f]{64}$/;
const HOUR_MS = 60 * 60 * 1_000;
const DAY_MS = 24 * HOUR_MS;

const subscriptionId = z.uuid("must be a UUID").describe("The subscription or listener.");

function periodInput(rule: string, pattern: RegExp, suffix: string, lengthMs: number) {
  return shaped(
    z.string(rule).transform((text, context): Period => {
      const from = new Date(`${text}${suffix}`);
      if (pattern.test(text) && from.toJSON()?.startsWith(text) && from.getTime() <= Date.now())
        return { from, to: new Date(from.getTime() + lengthMs) };
      context.addIssue({ code: "custom", message: `${rule}, not in the future` });
      return z.NEVER;
    }),
    z.string().regex(pattern).describe("In UTC."),
  );
}

const dayInput = periodInput(
  "must be a day such as 2026-11-24",
  /^\d{4}-\d\d-\d\d$/,
  "T00:00:00.000Z",
  DAY_MS,
);
const hourInput = periodInput(
  "must be an hour such as 2026-11-24T09",
  /^\d{4}-\d\d-\d\dT\d\d$/,
  ":00:00.000Z",
  HOUR_MS,
);

const ledgerQuery = z.strictObject({ subscriptionId, day: dayInput });

/** Contains the digest, so that only the first page reads the whole hour. */
const hourCursor = shaped(
  z
    .string()
    .transform((text, context): (Position & { digest: string }) | null => {
      const [position, digest = ""] = text.split(".");
      const { data } = pageQuery.cursor.safeParse(position);
      if (data && DIGEST.test(digest)) return { ...data, digest };
      context.addIssue({ code: "custom", message: "is not a cursor of this list" });
      return z.NEVER;
    })
    .default(null),
  z.string().optional().describe("`page.nextCursor` of the page before."),
);
const hourQuery = z.strictObject({ ...pageQuery, cursor: hourCursor, subscriptionId, hour: hourInput });

const digest = z
  .string()
  .regex(DIGEST)
  .describe("The sum modulo 2^256 of the SHA-256 of each delivered id (36 ASCII characters).");

const ledger = z
  .strictObject({
    day: z.string(),
    subscriptionId: z.uuid(),
    closed: z
      .boolean()
      .describe("The day is over, its events have arrived and nothing waits. A replay may open it."),
    types: z.array(typeCounts).describe("One for each type that had events."),
    digest,
  })
  .meta({ id: "Ledger", description: "What became of the events of a day." });

const read = ({ tenants, writers, logDays }: LedgerContext) =>
  route("GET /v1/webhooks/ledger", {
    ...READ,
    query: ledgerQuery,
    isHeavy: true,
    about: {
      ...{ id: "getLedger", tag, summary: "Get the ledger of a day" },
      description: "By `X-service-Event-Time`. Days that the delivery log no longer has are 404.",
      responses: { 200: data(ledger) },
      errors: ["not_found"],
    },
    handle: async ({ principal, query }) => {
      const { subscriptionId, day } = query;
      requireKept(day, logDays, "day");
      const isComplete = await isOver(writers.of(principal.tenantId), day);
      const tenant = tenants.of(principal.tenantId);
      const found = await readLedger(tenant, subscriptionId, day, sightOf(principal));
      const { types, digest } = required(found, "subscription");
      const closed = isComplete && types.every(({ waiting }) => waiting === 0);
      return ok({ day: day.from.toJSON().slice(0, 10), subscriptionId, closed, types, digest });
    },
  });

const delivered = z
  .strictObject({
    id: z.uuid().describe("`X-service-Delivery`"),
    eventId: z.uuid(),
    type: subscribableType,
    occurredAt: z.iso.datetime(),
  })
  .meta({ id: "DeliveredId", description: "A delivery that the receiver accepted." });

const list = ({ tenants, logDays }: LedgerContext) =>
  route("GET /v1/webhooks/ledger/deliveries", {
    ...READ,
    query: hourQuery,
    about: {
      ...{ id: "listLedgerDeliveries", tag, summary: "List what was delivered of an hour, with its digest" },
      description:
        "`page.digest` is that of the whole hour, as the first page read it. A page may have fewer items than `limit`, even none, while `nextCursor` is not `null`.",
      responses: { 200: page(delivered, { digest }) },
      errors: ["not_found"],
    },
    handle: async ({ principal, query }) => {
      requireKept(query.hour, logDays, "hour");
      const { subscriptionId, hour, cursor } = query;
      const tenant = tenants.of(principal.tenantId);
      const sight = sightOf(principal);
      const digest = cursor?.digest ?? (await readLedger(tenant, subscriptionId, hour, sight))?.digest;
      const found = await listDelivered(tenant, subscriptionId, hour, { ...query, ...sight });
      if (found === null || digest === undefined) throw notFound("subscription");
      const { items, nextCursor } = found;
      return listed({ items, nextCursor: nextCursor && `${nextCursor}.${digest}`, digest });
    },
  });

function requireKept({ from }: Period, logDays: number, name: string): void {
  const firstKept = Math.floor(Date.now() / DAY_MS) * DAY_MS - logDays * DAY_MS;
  if (from.getTime() < firstKept) throw notFound(name);
}

export const ledgerRoutes = [read, list];
