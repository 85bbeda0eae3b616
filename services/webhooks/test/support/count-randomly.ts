// Runs random traffic for the ledger: filters, failures, pauses, deletions, redeliveries and replays, while a replica is killed and
// replaced and connections are lost. The seed determines the choices but not their timing.
import { randomUUID } from "node:crypto";
import path from "node:path";
import { newId, sleep } from "@tradepost/runtime";
import {
  type ClientResponse,
  numbersFrom,
  type Receiver,
  type ServiceProcess,
  startServiceProcess,
  until,
} from "@tradepost/testing";
import type { TestTenant, TestWebhooks } from "./webhooks.ts";

const SERVICE = path.resolve(import.meta.dirname, "../..");
const TENANTS = 2;
const SUBSCRIPTIONS_PER_TENANT = 4;
const STEPS = 50;
const SUBSCRIPTIONS_MAX = 12;
/** `lost`: accepted, without a response. `late`: accepted, after the timeout. */
const FAILURES = ["refused", "reset", "hang", "lost", "late"] as const;
const REPLICA_LIVES_FOR_STEPS = 12;
const DAY_MS = 24 * 60 * 60 * 1_000;
/** The events occur on three days. */
export const DAYS = [0, 1, 2].map((days) => new Date(Date.now() - days * DAY_MS).toISOString().slice(0, 10));
const LONG_AGO = "2020-01-01T00:00:00Z";

type EventType = "content.entry.created" | "media.uploaded" | "redirect.added";
const TYPES: readonly EventType[] = ["content.entry.created", "media.uploaded", "redirect.added"];
/** A filter of one field, which applies to one type, and its values. */
const FILTERS = [
  null,
  null,
  { locale: ["en"] },
  { locale: ["en", "fr"] },
  { mediaType: ["image/"] },
  { fromPrefix: ["/a", "/b"] },
] as const;
type Filter = (typeof FILTERS)[number];

export interface CountedEvent {
  readonly id: string;
  readonly tenantId: string;
  readonly type: EventType;
  readonly day: string;
  /** The value that a filter may look at. */
  readonly value: string;
}

export interface CountedSubscription {
  readonly tenant: TestTenant;
  readonly id: string;
  /** It was made before all events, and its types and filter never changed. */
  isStatic: boolean;
  types: readonly EventType[];
  filter: Filter;
  isDeleted: boolean;
  /** The receiver's own table: delivery ids with the time of their event. */
  readonly table: Map<string, string>;
  /** The types of the tests that were sent to it, today. */
  readonly tests: EventType[];
}

export interface TypeCounts {
  readonly type: EventType;
  readonly events: number;
  readonly matched: number;
  readonly filtered: number;
  readonly delivered: number;
  readonly failed: number;
  readonly waiting: number;
  readonly cancelled: number;
}

export interface Ledger {
  readonly types: readonly TypeCounts[];
  readonly digest: string;
  readonly closed: boolean;
}

/** A ledger that was read during the run. */
interface Look extends Ledger {
  readonly subscription: CountedSubscription;
  readonly day: string;
  /** The receiver's own table; null if it changed during the look. */
  readonly table: ReadonlyMap<string, string> | null;
}

export interface CountedRun {
  readonly subscriptions: readonly CountedSubscription[];
  readonly events: readonly CountedEvent[];
  readonly looks: readonly Look[];
}

/** Whether a filter lets an event of a type with this value pass. */
export function passes(filter: Filter, { type, value }: Pick<CountedEvent, "type" | "value">): boolean {
  if (filter === null) return true;
  if ("locale" in filter)
    return type !== "content.entry.created" || filter.locale.some((one) => one === value);
  if ("mediaType" in filter)
    return type !== "media.uploaded" || filter.mediaType.some((one) => value.startsWith(one));
  return type !== "redirect.added" || filter.fromPrefix.some((one) => value.startsWith(one));
}

const VALUES: Readonly<Record<EventType, readonly string[]>> = {
  "content.entry.created": ["en", "fr", "de"],
  "media.uploaded": ["image/png", "video/mp4"],
  "redirect.added": ["/a", "/b/c", "/c"],
};

function dataOf(type: EventType, value: string): object {
  const id = randomUUID();
  if (type === "content.entry.created")
    return { entry: { id, type: "page", slug: "s", locale: value, version: 1 } };
  if (type === "media.uploaded") return { media: { id, contentType: value } };
  return { redirect: { id, from: value, to: "/", version: 1 } };
}

/** Runs until nothing waits. In the end the receiver accepts everything, and no subscription is paused. */
export async function countRandomly(
  webhooks: TestWebhooks,
  receiver: Receiver,
  seed: number,
): Promise<CountedRun> {
  const random = numbersFrom(seed);
  const below = (bound: number) => Math.floor(random() * bound);
  const oneOf = <Item>(items: readonly Item[]) => items[below(items.length)] as Item;
  const subscriptions: CountedSubscription[] = [];
  const events: CountedEvent[] = [];
  const looks: Look[] = [];
  const replayIds: { tenant: TestTenant; id: string }[] = [];
  const existing = () => subscriptions.filter(({ isDeleted }) => !isDeleted);
  let failureRate = 0.6;

  receiver.behave(({ path: address, headers }) => {
    const accept = () =>
      subscriptions[Number(address.slice(1))]?.table.set(
        String(headers["x-service-delivery"]),
        String(headers["x-service-event-time"]),
      );
    const outcome = random() < failureRate ? oneOf(FAILURES) : "accepted";
    if (outcome === "accepted" || outcome === "lost" || outcome === "late") accept();
    if (outcome === "accepted") return 200;
    if (outcome === "refused") return 500;
    return outcome === "lost" || outcome === "reset" ? "reset" : "hang";
  });

  const tenants = Array.from({ length: TENANTS }, () => webhooks.tenant());
  const randomTypes = () => {
    const types = TYPES.filter(() => random() < 0.7);
    return types.length === 0 ? TYPES : types;
  };
  const subscribe = async (tenant: TestTenant, isStatic: boolean) => {
    const [types, filter, key] = [randomTypes(), oneOf(FILTERS), randomUUID()];
    const subscription = { ...{ tenant, id: "", isStatic, types, filter }, isDeleted: true };
    // Its address is its place in the list.
    const place = subscriptions.push({ ...subscription, table: new Map(), tests: [] }) - 1;
    const body = { name: "Random", url: `${receiver.url}/${place}`, events: types, filter };
    const created = await untilDone(() =>
      tenant.owner().post("/v1/webhooks/subscriptions", body, { "idempotency-key": key }),
    );
    Object.assign(subscriptions[place] ?? {}, { id: created.data.id, isDeleted: false });
  };
  const pathOf = ({ id }: CountedSubscription) => `/v1/webhooks/subscriptions/${id}`;
  const startReplay = async () => {
    const { tenant, id } = oneOf(existing());
    const include = oneOf(["failed", "missing", "all"] as const);
    const body = { since: LONG_AGO, include, ...(random() < 0.3 && { types: randomTypes() }) };
    const response = await tenant.owner().post(`/v1/webhooks/subscriptions/${id}/replays`, body);
    if (response.status === 202) replayIds.push({ tenant, id: response.body.data.id });
  };

  const cancelReplay = async () => {
    const started = replayIds.at(-1 - below(3));
    if (started !== undefined) await started.tenant.owner().delete(`/v1/webhooks/replays/${started.id}`);
  };

  const operations: (() => Promise<unknown>)[] = [
    async () => {
      const subscription = oneOf(existing());
      await untilDone(() => subscription.tenant.setActive(subscription.id, false));
    },
    async () => {
      const subscription = oneOf(existing());
      await untilDone(() => subscription.tenant.setActive(subscription.id, true));
    },
    async () => {
      if (existing().length <= subscriptions.length / 2) return;
      const subscription = oneOf(existing());
      subscription.isDeleted = true;
      await untilDone(() => subscription.tenant.unsubscribe(subscription.id));
    },
    async () => {
      if (subscriptions.length < SUBSCRIPTIONS_MAX) await subscribe(oneOf(tenants), false);
    },
    async () => {
      const subscription = oneOf(existing());
      if (subscription.isStatic) return;
      const [types, filter] = [randomTypes(), oneOf(FILTERS)];
      Object.assign(subscription, { types, filter });
      await untilDone(() =>
        subscription.tenant.owner().patch(pathOf(subscription), { events: types, filter }),
      );
    },
    async () => {
      const subscription = oneOf(existing());
      const [type, key] = [oneOf(TYPES), randomUUID()];
      const send = () =>
        subscription.tenant
          .owner()
          .post(`${pathOf(subscription)}/test`, { type }, { "idempotency-key": key });
      const { success } = await untilDone(send);
      // Its subscription may have been deleted meanwhile.
      if (success) subscription.tests.push(type);
    },
    async () => {
      const { tenant, id } = oneOf(existing());
      const deliveries: { id: string }[] = (await tenant.deliveries(id)) ?? [];
      if (deliveries.length > 0)
        await tenant.owner().post(`/v1/webhooks/deliveries/${oneOf(deliveries).id}/redeliver`);
    },
    startReplay,
    startReplay,
    startReplay,
    cancelReplay,
    cancelReplay,
    async () => {
      const subscription = oneOf(existing());
      const limits = { maxInFlight: oneOf([1, null]) };
      await untilDone(() => subscription.tenant.owner().patch(pathOf(subscription), limits));
    },
    async () => webhooks.purge(`webhooks.retry.${oneOf(["20ms", "40ms"])}`),
    async () =>
      webhooks.pool.query(
        `select pg_terminate_backend(pid) from pg_stat_activity
          where datname = current_database() and application_name like 'webhooks%'`,
      ),
    async () => {
      failureRate = oneOf([0.2, 0.6, 0.9]);
    },
  ];

  const look = async (url?: string) => {
    const [subscription, day] = [oneOf(existing()), oneOf(DAYS)];
    const before = new Map(subscription.table);
    const found = await readLedger(subscription, day, url);
    const table = subscription.table.size === before.size ? before : null;
    if (found !== null) looks.push({ ...found, subscription, day, table });
  };
  const emit = async (tenantId: string) => {
    const [type, day] = [oneOf(TYPES), oneOf(DAYS)];
    // Of today only the first minute has surely begun.
    const time = day === DAYS[0] ? "00:00:00" : `${String(below(24)).padStart(2, "0")}:30:00`;
    const event = { id: oneOf([newId, randomUUID])(), tenantId, type, day, value: oneOf(VALUES[type]) };
    events.push(event);
    const more = { id: event.id, type, occurred_at: `${day}T${time}.000Z`, data: dataOf(type, event.value) };
    for (let copies = oneOf([1, 1, 2]); copies > 0; copies -= 1) await webhooks.emit(tenantId, {}, more);
  };

  for (const tenant of tenants)
    for (let number = 0; number < SUBSCRIPTIONS_PER_TENANT; number += 1) await subscribe(tenant, number < 2);
  let replica = await startReplica(webhooks);
  await using running = new AsyncDisposableStack();
  running.defer(async () => void (await replica.kill("SIGTERM")));
  for (let step = 0; step < STEPS; step += 1) {
    for (const { tenantId } of tenants) for (let left = below(4); left > 0; left -= 1) await emit(tenantId);
    await Promise.all(
      Array.from({ length: below(6) }, () => oneOf(operations)().catch(ignoreLostConnection)),
    );
    await Promise.all([look(), look(replica.url)].map((looking) => looking.catch(ignoreLostConnection)));
    if (step % REPLICA_LIVES_FOR_STEPS === REPLICA_LIVES_FOR_STEPS - 1) {
      await replica.kill("SIGKILL");
      replica = await startReplica(webhooks);
    }
    await sleep(below(60));
  }
  failureRate = 0;
  for (const { tenant, id } of existing()) await untilDone(() => tenant.setActive(id, true));
  const expected = events.length + subscriptions.reduce((sum, { tests }) => sum + tests.length, 0);
  await untilNothingWaits(webhooks, tenants);
  await until("every event", async () => {
    const { rows } = await webhooks.pool.query("select count(*)::int as count from events");
    return rows[0].count === expected;
  });
  await untilNothingWaits(webhooks, tenants);
  // Of two changes at the same time, either may have been the last.
  for (const subscription of existing()) {
    const { body } = await subscription.tenant.owner().get(pathOf(subscription));
    Object.assign(subscription, { types: body.data.events, filter: body.data.filter });
  }
  return { subscriptions, events, looks };
}

/** Null if the subscription has been deleted, or if the connection to the database was lost. */
export async function readLedger(
  { tenant, id }: CountedSubscription,
  day: string,
  url?: string,
): Promise<Ledger | null> {
  const { status, body } = await tenant.owner(url).get(`/v1/webhooks/ledger?subscriptionId=${id}&day=${day}`);
  return status === 200 ? body.data : null;
}

/** Resolves when all deliveries have ended, and with them replays and the effects of changes to subscriptions. */
export async function untilNothingWaits(
  webhooks: TestWebhooks,
  tenants: readonly TestTenant[],
): Promise<void> {
  await until("the end of all deliveries", async () => {
    const { rows } = await webhooks.pool.query(
      `select (select count(*)::int from deliveries where tenant_id = any($1))
              + (select count(*)::int from reconciliations)
              + (select count(*)::int from replays where has_work) as open`,
      [tenants.map(({ tenantId }) => tenantId)],
    );
    return rows[0].open === 0;
  });
}

async function startReplica({ environment }: TestWebhooks): Promise<ServiceProcess> {
  const { NODE_EXTRA_CA_CERTS, PATH } = process.env;
  return await startServiceProcess(path.join(SERVICE, "src/main.ts"), {
    cwd: SERVICE,
    env: { LOG_LEVEL: "fatal", NODE_EXTRA_CA_CERTS, PATH, ...environment },
  });
}

/** A request whose database connection was cut fails, and is repeated. 404: it was deleted in the meantime. */
async function untilDone(send: () => Promise<ClientResponse>): Promise<ClientResponse["body"]> {
  const { body } = await until("a response", async () => {
    const response = await send();
    return (response.status < 300 || response.status === 404) && response;
  });
  return body;
}

/** This code uses the same database and broker, so its connections are cut as well. */
function ignoreLostConnection(error: unknown): void {
  if (!/terminat|Connection|ECONNRESET|fetch failed|404/.test(String(error))) throw error;
}
