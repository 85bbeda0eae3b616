// The routes of replays, and of recoveries, which are replays of failed deliveries (interface §7, §18).
import {
  type ApiRequest,
  type ApiResponse,
  accepted,
  cursorPage,
  data,
  listed,
  notFound,
  ok,
  page,
  pageOnly,
  required,
  route,
} from "@tradepost/http";
import { insertRecord, replaceRecord, withIdempotencyKey } from "@tradepost/idempotency";
import { z } from "zod";
import { sightOf } from "../offered-types.ts";
import { ADMIN, conditionsOf, READ, type RouteContext } from "../route-context.ts";
import type { Tenant } from "../tables.ts";
import { recoverInput, replayInput, type Selection } from "./replay-input.ts";
import { cancelReplay, countMatched, createReplay, findReplay, listReplays } from "./replay-store.ts";
import type { Replays } from "./run-replays.ts";

interface ReplayContext extends RouteContext {
  readonly replays: Pick<Replays, "run">;
}

const tag = "Webhook subscriptions";
// A recovery's caller waits for it; a replay reports its progress.
const RECOVERY_WAIT_MS = 5_000;
const REPLAY_WAIT_MS = 500;

const counts = {
  matched: z.int().nonnegative().describe("What it sends."),
  requeued: z.int().nonnegative().describe("How much of it waits for an attempt so far, or was sent."),
};

const skipped = z
  .int()
  .nonnegative()
  .describe("What was not sent: it had changed, or the replay was cancelled before.");

const replay = z
  .strictObject({
    id: z.uuid().describe("`X-service-Replay`"),
    subscriptionId: z.uuid(),
    include: z.enum(["failed", "missing", "all"]),
    since: z.iso.datetime().describe("Inclusive."),
    until: z.iso.datetime().describe("Exclusive."),
    status: z
      .enum(["running", "finished", "cancelled"])
      .describe("`finished` once everything waits for an attempt again."),
    ...counts,
    skipped,
    createdAt: z.iso.datetime(),
    finishedAt: z.iso.datetime().nullable().describe("Null while it runs."),
  })
  .meta({ id: "Replay", description: "Deliveries that are sent again or for the first time, in bulk." });

const replayCounts = z
  .strictObject({ ...counts, skipped })
  .meta({ id: "ReplayCounts", description: "What a replay would send." });

const recovery = replay
  .omit({ include: true, status: true, skipped: true })
  .meta({ id: "Recovery", description: "How far a recovery has come." });

const startedRecovery = z
  .strictObject({ id: z.uuid().nullable().describe("For `getRecovery`; null for a dry run."), ...counts })
  .meta({ id: "StartedRecovery", description: "A recovery as far as it has come at once." });

const start = (context: ReplayContext) =>
  route("POST /v1/webhooks/subscriptions/:id/replays", {
    ...ADMIN,
    isIdempotent: true,
    body: replayInput(context.more),
    about: {
      ...{ id: "startReplay", tag, summary: "Replay the events of a period" },
      description:
        "Sends failed deliveries again, makes deliveries of events that have none, or both and what was delivered, under the same delivery ids. It runs behind live traffic, and each request has `X-service-Replay`. A dry run only counts.",
      responses: { 200: data(replayCounts), 202: data(replay) },
      errors: ["replay_running"],
      ifMatch: true,
    },
    handle: withIdempotencyKey(
      context.writers,
      async (tenant, request: ApiRequest<z.output<ReturnType<typeof replayInput>>, undefined>) => {
        const { dryRun, ...selection } = request.body;
        return dryRun
          ? await countOnly(context, tenant, request, selection, (matched) =>
              ok({ matched, requeued: 0, skipped: 0 }),
            )
          : await begin(context, tenant, request, {
              ...{ kind: "replay", selection, waitMs: REPLAY_WAIT_MS },
              shown: (replay) => replay,
            });
      },
    ),
  });

const recover = (context: ReplayContext) =>
  route("POST /v1/webhooks/subscriptions/:id/recover", {
    ...ADMIN,
    isIdempotent: true,
    body: recoverInput,
    about: {
      ...{ id: "recoverDeliveries", tag, summary: "Send failed deliveries again" },
      description:
        "Restarts the deliveries that failed at or after `since` and before `until`, each once, after the receiver has been repaired: a replay with `include: failed`.",
      responses: { 202: data(startedRecovery) },
      ifMatch: true,
    },
    handle: withIdempotencyKey(
      context.writers,
      async (tenant, request: ApiRequest<z.output<typeof recoverInput>, undefined>) => {
        const { dryRun, ...period } = request.body;
        const selection = { ...period, include: "failed" } as const;
        return dryRun
          ? await countOnly(context, tenant, request, selection, (matched) =>
              accepted({ id: null, matched, requeued: 0 }),
            )
          : await begin(context, tenant, request, {
              ...{ kind: "recovery", selection, waitMs: RECOVERY_WAIT_MS },
              shown: ({ id, matched, requeued }) => ({ id, matched, requeued }),
            });
      },
    ),
  });

const list = ({ tenants }: ReplayContext) =>
  route("GET /v1/webhooks/subscriptions/:id/replays", {
    ...READ,
    query: pageOnly,
    about: {
      id: "listReplays",
      tag,
      summary: "List the replays and recoveries of a subscription, newest first",
      responses: { 200: page(replay) },
    },
    handle: async ({ principal, id, query }) => {
      const found = await listReplays(tenants.of(principal.tenantId), id, query, sightOf(principal));
      return listed(cursorPage(required(found, "subscription"), query.limit));
    },
  });

const read = ({ tenants }: ReplayContext) =>
  route("GET /v1/webhooks/replays/:id", {
    ...READ,
    about: { id: "getReplay", tag, summary: "Get a replay", responses: { 200: data(replay) } },
    handle: async ({ principal, id }) =>
      ok(required(await findReplay(tenants.of(principal.tenantId), id, sightOf(principal)), "replay")),
  });

const cancel = ({ tenants, writers, replays, onCommit }: ReplayContext) =>
  route("DELETE /v1/webhooks/replays/:id", {
    ...ADMIN,
    about: {
      ...{ id: "cancelReplay", tag, summary: "Cancel a replay" },
      description: "What was not sent becomes what it was before. Attempts in progress go on.",
      responses: { 200: data(replay) },
    },
    handle: async (request) => {
      const { id, principal } = request;
      await writers.of(principal.tenantId).transaction((tx) => cancelReplay(tx, id, request));
      onCommit();
      await replays.run(id, RECOVERY_WAIT_MS);
      return ok(required(await findReplay(tenants.of(principal.tenantId), id), "replay"));
    },
  });

const readRecovery = ({ tenants }: ReplayContext) =>
  route("GET /v1/webhooks/recoveries/:id", {
    ...READ,
    about: { id: "getRecovery", tag, summary: "Get a recovery", responses: { 200: data(recovery) } },
    handle: async ({ principal, id }) => {
      const found = await findReplay(tenants.of(principal.tenantId), id, sightOf(principal));
      if (found?.include !== "failed") throw notFound("recovery");
      const { include: _, status: __, skipped: ___, ...shown } = found;
      return ok(shown);
    },
  });

export const replayRoutes = [start, list, read, cancel, recover, readRecovery];

type Replay = NonNullable<Awaited<ReturnType<typeof findReplay>>>;
type Request = ApiRequest<unknown, undefined>;
type Writer = Tenant;

async function countOnly(
  { readPastEvents }: ReplayContext,
  tenant: Writer,
  request: Request,
  selection: Selection,
  respond: (matched: number) => ApiResponse,
): Promise<ApiResponse> {
  return await readPastEvents(tenant, request, async (tx) => {
    const counted = await countMatched(tx, request.id, selection, conditionsOf(request).ifMatch);
    const response = respond(required(counted, "subscription").matched);
    await insertRecord(tx, request.idempotencyKey, response);
    return response;
  });
}

async function begin(
  { replays, onCommit }: ReplayContext,
  tenant: Writer,
  request: Request,
  options: {
    kind: "replay" | "recovery";
    selection: Selection;
    waitMs: number;
    shown: (replay: Replay) => object;
  },
): Promise<ApiResponse> {
  const { kind, selection, waitMs, shown } = options;
  const { idempotencyKey } = request;
  const created = await tenant.transaction(async (tx) => {
    const begun = await createReplay(tx, request.id, selection, conditionsOf(request), kind);
    const created = required(begun, "subscription");
    await insertRecord(tx, idempotencyKey, accepted(shown(created)));
    return created;
  });
  onCommit();
  await replays.run(created.id, waitMs);
  const response = accepted(shown((await findReplay(tenant, created.id)) ?? created));
  await replaceRecord(tenant, idempotencyKey, response);
  return response;
}
