// Endpoints of a separate tenant, which behave as a fault tells them, with steady traffic. Their deliveries are read from the
// database, also while no process of the webhooks service runs.
import { randomUUID } from "node:crypto";
import { createTenants } from "@tradepost/devstack";
import { type Repetition, repeat, sleep } from "@tradepost/runtime";
import { type ApiClient, apiClient, type Behaviour, bearer, type Received } from "@tradepost/testing";
import pg from "pg";
import type { WebhookObserver } from "../observers.ts";
import type { FaultContext } from "./fault.ts";

const EVENT_EVERY_MS = 100;
const DRAIN_TIMEOUT_MS = 120_000;
const POLL_MS = 100;

interface NewSubscription {
  readonly name: string;
  readonly maxInFlight?: number;
}

export interface OwnEndpoint {
  readonly name: string;
  readonly subscriptionId: string;
  readonly arrivals: Arrival[];
}

interface Arrival {
  readonly deliveryId: string;
  /** The attempt's number, from 1. An attempt may send its request twice if a connection that was idle breaks. */
  readonly attempt: number;
  readonly redirectId: string;
  readonly at: number;
  readonly isAccepted: boolean;
}

export interface RecordedDelivery {
  readonly id: string;
  readonly status: string;
  readonly attemptCount: number;
  /** The attempts that got no response in time, with their starts. On a busy machine the endpoint may not have seen them. */
  readonly timedOut: readonly { readonly attempt: number; readonly at: number }[];
  readonly createdAt: Date;
}

interface RecordedState {
  readonly downSince: Date | null;
  readonly heldUntil: Date | null;
  readonly claimed: number;
}

export type OwnEndpoints = Awaited<ReturnType<typeof openOwnEndpoints>>;

/** Opens endpoints that respond with 200 at first, and again after they are disposed of. */
export async function openOwnEndpoints(
  { platform, webhookObserver }: FaultContext,
  slug: string,
  subscriptions: readonly NewSubscription[],
) {
  const [tenant] = await createTenants(platform.url, platform.databases.gateway, [{ slug }]);
  if (tenant === undefined) throw new Error("no tenant was created");
  const { tenantId } = tenant;
  const owner = apiClient(platform.url, bearer(tenant.ownerToken));
  const endpoints = await subscribe(owner, webhookObserver, slug, subscriptions);
  const traffic = createTraffic(apiClient(platform.url, bearer(tenant.apiKey)));
  const database = new pg.Client(platform.databases.webhooks);
  await database.connect();

  function behave(reactionOf: (endpoint: OwnEndpoint) => ReturnType<Behaviour>): void {
    webhookObserver.behave((request) => {
      const endpoint = endpoints.get(request.path);
      if (endpoint === undefined) return 200;
      const reaction = reactionOf(endpoint);
      endpoint.arrivals.push(arrivalOf(request, reaction === 200));
      return reaction;
    });
  }
  behave(() => 200);

  function missingAt({ arrivals }: OwnEndpoint): number {
    const accepted = new Set(arrivals.filter(({ isAccepted }) => isAccepted).map((one) => one.redirectId));
    return traffic.createdIds.filter((id) => !accepted.has(id)).length;
  }

  async function isDrained(): Promise<boolean> {
    if ([...endpoints.values()].some((endpoint) => missingAt(endpoint) > 0)) return false;
    const open = await database.query("select from deliveries where tenant_id = $1 limit 1", [tenantId]);
    return open.rowCount === 0;
  }

  return {
    tenantId,
    endpoints: [...endpoints.values()],
    ...{ behave, missingAt },
    startTraffic: traffic.start,
    stopTraffic: traffic.stop,
    states: async () => (await database.query<RecordedState>(STATES, [tenantId])).rows,
    deliveriesTo: async ({ subscriptionId }: OwnEndpoint) =>
      (await database.query<RecordedDelivery>(DELIVERIES, [tenantId, subscriptionId])).rows,
    /** Resolves when all endpoints have accepted every event and every result is recorded, or after 2 minutes. */
    untilDrained: async (): Promise<void> => {
      const deadline = performance.now() + DRAIN_TIMEOUT_MS;
      while (!(await isDrained()) && performance.now() < deadline) await sleep(POLL_MS);
    },
    [Symbol.asyncDispose]: async () => {
      webhookObserver.behave(() => 200);
      await traffic.stop();
      await database.end();
    },
  };
}

async function subscribe(
  owner: ApiClient,
  webhookObserver: WebhookObserver,
  slug: string,
  subscriptions: readonly NewSubscription[],
): Promise<ReadonlyMap<string, OwnEndpoint>> {
  const endpoints = new Map<string, OwnEndpoint>();
  for (const [index, subscription] of subscriptions.entries()) {
    const path = `/${slug}-${index + 1}`;
    const input = { ...subscription, url: webhookObserver.url + path, events: ["redirect.added"] };
    const { status, text, body } = await owner.post("/v1/webhooks/subscriptions", input);
    if (status !== 201) throw new Error(`subscribing failed with ${status}: ${text}`);
    webhookObserver.expect(path, body.data.signingSecret);
    endpoints.set(path, { name: subscription.name, subscriptionId: body.data.id, arrivals: [] });
  }
  return endpoints;
}

function createTraffic(key: ApiClient) {
  const createdIds: string[] = [];
  let repetition: Pick<Repetition, "stop"> | undefined;
  return {
    createdIds,
    start: () => {
      repetition = repeat(async () => {
        const redirect = { from: `/chaos/${randomUUID()}`, to: "/" };
        const created = await key.post("/v1/redirects", redirect).catch(() => undefined);
        if (created?.status === 201) createdIds.push(created.body.data.id);
        return EVENT_EVERY_MS;
      });
    },
    stop: async () => await repetition?.stop(),
  };
}

export function attemptsOf(arrivals: readonly Arrival[]): readonly Arrival[] {
  const byAttempt = Map.groupBy(arrivals, ({ deliveryId, attempt }) => `${deliveryId} ${attempt}`);
  return [...byAttempt.values()].flatMap(([first]) => first ?? []);
}

function arrivalOf({ headers, body, at }: Received, isAccepted: boolean): Arrival {
  const { data } = JSON.parse(body.toString()) as { data: { redirect: { id: string } } };
  return {
    deliveryId: String(headers["x-service-delivery"]),
    attempt: Number(headers["x-service-attempt"]),
    redirectId: data.redirect.id,
    at: at.getTime(),
    isAccepted,
  };
}

const STATES = `
  select down_since as "downSince", held_until as "heldUntil",
         (select count(*)::integer from deliveries
           where deliveries.tenant_id = subscriptions.tenant_id and subscription_id = subscriptions.id
             and locked_until > clock_timestamp()) as claimed
    from subscriptions
   where tenant_id = $1
   order by id`;

const DELIVERIES = `
  select id, status, attempt_count as "attemptCount", created_at as "createdAt",
         (select coalesce(json_agg(json_build_object('attempt', attempt, 'at', extract(epoch from at) * 1000)), '[]')
            from attempts
           where attempts.tenant_id = delivery.tenant_id and delivery_id = delivery.id
             and outcome = 'timeout') as "timedOut"
    from (select id, status, attempt_count, created_at, tenant_id, subscription_id from deliveries
          union all
          select id, status, attempt_count, created_at, tenant_id, subscription_id from delivery_log) delivery
   where tenant_id = $1 and subscription_id = $2`;
