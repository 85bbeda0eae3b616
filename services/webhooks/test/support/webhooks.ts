// Starts the webhooks service on its own database and vhost, with access to its HTTP API, its exchanges and its database.
import { createHash, createHmac, randomBytes, randomUUID } from "node:crypto";
import type { Principal } from "@tradepost/http";
import { connectPostgres } from "@tradepost/postgres";
import { createLogger, readSettings } from "@tradepost/runtime";
import {
  type ApiClient,
  type ClientResponse,
  captureMessages,
  createServiceDatabase,
  createTestBroker,
  faultPaths,
  findWords,
  type Received,
  signedClient,
  until,
} from "@tradepost/testing";
import { connect } from "amqplib";
import { settings as webhooksSettings } from "../../src/config.ts";
import { type StartOptions, startWebhooks } from "../../src/service.ts";
import type { Tables } from "../../src/tables.ts";

export type TestWebhooks = Awaited<ReturnType<typeof startTestWebhooks>>;

const EXCHANGE = "platform.events";
const LOOPBACK = "127.0.0.0/8,::1/128";
const SUBSCRIPTIONS = "/v1/webhooks/subscriptions";

export type Json = ClientResponse["body"];
type Emit = (tenantId: string, data?: Data, more?: Data) => Promise<string>;
type Data = Record<string, unknown>;

/** Starts a service that may deliver to this machine, with the settings given. Tenants subscribe paths of the receiver. */
export async function startTestWebhooks(
  overrides: Record<string, string> = {},
  options: StartOptions = {},
  receiverUrl = "",
) {
  const running = new AsyncDisposableStack();
  const [database, broker] = await Promise.all([createServiceDatabase("webhooks"), createTestBroker()]);
  running.defer(database.drop);
  running.defer(broker.drop);
  const logger = createLogger("test", "silent");
  const gatewaySecret = randomBytes(32).toString("hex");
  const environment: Record<string, string> = {
    PORT: "0",
    DRAIN_IDLE_MS: "0",
    AMQP_URL: broker.amqpUrl,
    WEBHOOKS_DATABASE_URL: database.serviceUrl,
    GATEWAY_SECRET: gatewaySecret,
    WEBHOOKS_SEALING_KEY: randomBytes(32).toString("base64"),
    WEBHOOKS_EGRESS_ALLOW: LOOPBACK,
    // All receivers of a test are on one host.
    WEBHOOKS_HOST_PER_SECOND_MAX: "0",
    ...overrides,
  };
  const start = async (more: Record<string, string> = {}) => {
    const settings = readSettings(webhooksSettings, { ...environment, ...more });
    const started = await startWebhooks(settings, logger, { lookForExpiredEveryMs: 200, ...options });
    // An event that is published before the queues are bound is lost.
    await until("a service that is ready", async () => {
      const response = await fetch(`${started.url}/readyz`);
      return response.ok && !("degraded" in ((await response.json()) as object));
    });
    return started;
  };
  let service = await start();
  running.defer(() => service.stop());
  const postgres = connectPostgres<Tables>({ url: database.url, name: "test", connectionsMax: 4, logger });
  running.defer(() => postgres.stop());
  const connection = await connect(broker.amqpUrl);
  running.defer(() => connection.close());
  const channel = await connection.createConfirmChannel();

  const as = (principal: Partial<Principal>, url = service.url): ApiClient =>
    signedClient(url, gatewaySecret, principal);
  const publish = async (exchange: string, routingKey: string, content: string) => {
    const properties = { persistent: true, messageId: randomUUID() };
    channel.publish(exchange, routingKey, Buffer.from(content), properties);
    await channel.waitForConfirms();
  };
  const query = async (text: string, ...values: unknown[]) => (await postgres.pool.query(text, values)).rows;
  const emit: Emit = async (tenantId, data = {}, more = {}) => {
    const event = eventOf(tenantId, data, more);
    await publish(EXCHANGE, event.type, JSON.stringify(event));
    return event.id;
  };
  const ready = async (queue: string) => (await channel.checkQueue(queue)).messageCount;

  return {
    broker,
    /** For another process of the service. */
    environment,
    /** The service's URL; after a restart another one. */
    url: () => service.url,
    databaseUrl: database.url,
    /** As the service's own login. */
    serviceUrl: database.serviceUrl,
    db: postgres.db,
    pool: postgres.pool,
    query,
    /** Changes the row with this id; in `deliveries` also the rows of the subscription with this id. */
    set: async (
      table: "deliveries" | "subscriptions" | "listeners" | "replays",
      id: string,
      change: string,
    ) => {
      const column = table === "listeners" ? "subscription_id" : "id";
      const isWanted = table === "deliveries" ? "$1 in (id, subscription_id)" : `${column} = $1`;
      await query(`update ${table} set ${change} where ${isWanted}`, id);
    },
    untilSome: (text: string, ...values: unknown[]) =>
      until(`a row of ${text}`, async () => (await query(text, ...values)).length > 0),
    untilNone: (text: string, ...values: unknown[]) =>
      until(`no row of ${text}`, async () => (await query(text, ...values)).length === 0),
    /** A client of the service, or of the replica at a URL, whose requests are signed for the principal; an owner by default. */
    as,
    tenant: () => newTenant(as, emit, receiverUrl),
    /** Publishes an event, as the relay of another service does. Returns its id. */
    emit,
    publish,
    /** The audit entries of a subscription or delivery, oldest first. */
    auditEntries: (
      tenantId: string,
      targetId: string,
    ): Promise<{ action: string; actor: unknown; data: unknown }[]> =>
      query(
        "select type as action, actor, data from outbox where tenant_id = $1 and aggregate_id = $2 order by id",
        tenantId,
        targetId,
      ),
    /** Resolves once this many sessions of the database wait for a lock. */
    untilLocked: (count = 1) =>
      until(
        `${count} sessions that wait for a lock`,
        async () => (await query(WAIT_FOR_LOCK)).length === count,
      ),
    deadlocks: async (): Promise<number> =>
      (await query("select deadlocks::int from pg_stat_database where datname = current_database()"))[0]
        .deadlocks,
    untilReconciled: (timeoutMs?: number) =>
      until(
        "the end of every reconciliation",
        async () => (await query("select from reconciliations")).length === 0,
        timeoutMs,
      ),
    /** Executes a statement in a transaction that lasts until its commit, or the end of the scope. */
    begin: async (text: string, ...values: unknown[]) => {
      const client = await postgres.pool.connect();
      await client.query("begin");
      await client.query(text, values);
      return {
        commit: () => client.query("commit"),
        [Symbol.asyncDispose]: async () => client.release(true),
      };
    },
    /** Finds where the words are in the database, as text or bytes. */
    find: (...words: string[]) => findWords(database.url, words),
    /** Copies a delivery as unattempted deliveries without a message. Returns their ids. */
    copyDelivery: async (deliveryId: string, count: number, { lockedFor }: { lockedFor: string | null }) => {
      const rows = await query(COPY_DELIVERY, deliveryId, count, lockedFor);
      return rows.map(({ id }) => id as string);
    },
    /** Counts the messages that are ready in a queue. */
    ready,
    untilReady: (queue: string, count: number) =>
      until(`${count} messages in ${queue}`, async () => (await ready(queue)) === count),
    /** Takes the messages of a queue out of it, or looks at them with `ack_requeue_true`, as the management UI does. */
    take: async (queue: string, ackmode: "ack_requeue_true" | "ack_requeue_false") => {
      const wanted = { count: 100, ackmode, encoding: "auto" };
      return (await broker.manage("POST", `/queues/${queue}/get`, wanted)) as { payload: string }[];
    },
    purge: (queue: string) => broker.manage("DELETE", `/queues/${queue}/contents`),
    deleteQueue: (queue: string) => broker.manage("DELETE", `/queues/${queue}`),
    /** Returns a function that returns the jobs that are published to `webhooks.deliveries` from now on. */
    captureJobs: async () => {
      const options = { exchange: "webhooks.queues", withReplayed: true };
      const { messages, stop } = await captureMessages(broker.amqpUrl, "webhooks.deliveries", options);
      running.defer(stop);
      return () => messages.map(({ content }) => JSON.parse(content.toString()));
    },
    /** On the same database and broker. */
    startReplica: async (more: Record<string, string> = {}) => {
      const replica = await start(more);
      running.defer(() => replica.stop());
      return replica;
    },
    /** With other settings, on the same database and broker. */
    restart: async (more: Record<string, string>) => {
      await service.stop();
      service = await start(more);
    },
    stopService: () => service.stop(),
    stop: () => running.disposeAsync(),
  };
}

const WAIT_FOR_LOCK =
  "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'";

// Each has its own event, because an event has one delivery for each subscription.
const COPY_DELIVERY = `
  with original as (
    select * from all_deliveries where id = $1
  ), copied_events as (
    insert into events (tenant_id, id, type, occurred_at, request_id, data)
    select events.tenant_id, gen_random_uuid(), events.type, occurred_at, request_id, data
      from events join original on events.id = event_id, generate_series(1, $2)
    returning id
  )
  insert into deliveries (tenant_id, id, subscription_id, event_id, type, status, queue_state, next_attempt_at, enqueued_at,
                          locked_until)
  select tenant_id, gen_random_uuid(), subscription_id, copied_events.id, type, 'pending', 'queued', now(), now(),
         now() + $3::interval
    from original, copied_events
  returning id`;

export function eventOf(tenantId: string, data: Data, more: Data) {
  return {
    id: randomUUID(),
    type: "redirect.added",
    tenant_id: tenantId,
    occurred_at: new Date().toISOString(),
    request_id: randomUUID(),
    actor: { type: "user", id: "u-1", name: "Ada" },
    data: { redirect: data },
    ...more,
  };
}

function newTenant(
  as: (principal: Partial<Principal>, url?: string) => ApiClient,
  emitFor: Emit,
  receiverUrl: string,
) {
  const tenantId = randomUUID();
  // A new client each time: after a restart the service has another port.
  const owner = (url?: string) => as({ tenantId }, url);
  const emit = (data?: Data, more?: Data) => emitFor(tenantId, data, more);
  /** Resolves with the data of a resource below `/v1/webhooks`. */
  const get = async (path: string): Promise<Json> => (await owner().get(`/v1/webhooks/${path}`)).body.data;
  const delivery = (id: string) => get(`deliveries/${id}`);
  const deliveries = (subscriptionId: string): Promise<Json[]> =>
    get(`deliveries?limit=100&subscriptionId=${subscriptionId}`);
  const path = (subscriptionId: string) => `${SUBSCRIPTIONS}/${subscriptionId}`;
  const subscription = (id: string) => get(`subscriptions/${id}`);
  const statuses = async (subscriptionId: string): Promise<string[]> =>
    (await deliveries(subscriptionId)).map(({ status }) => status);
  const subscribe = async (target: string, events: readonly string[] = ["redirect.added"], more = {}) => {
    const url = target.startsWith("/") ? receiverUrl + target : target;
    const { status, body } = await owner().post(SUBSCRIPTIONS, { name: "Test", url, events, ...more });
    if (status !== 201) throw new Error(`subscription not created: ${status} ${JSON.stringify(body)}`);
    return body.data as { id: string; signingSecret: string };
  };
  const untilDelivery = (subscriptionId: string, status: string) =>
    until(`a delivery that is ${status}`, async () => {
      const [found] = await deliveries(subscriptionId);
      return found?.status === status && (await delivery(found.id));
    });
  return {
    tenantId,
    owner,
    get,
    emit,
    /** Publishes an event of the tenant, and waits until it has been fanned out. Returns its id. */
    emitAndStore: async (...event: Parameters<typeof emit>) => {
      const id = await emit(...event);
      // The list has no data, which may differ from the API description in a test.
      const isListed = async () => (await get("events?limit=100")).some((event: Json) => event.id === id);
      await until("the event", isListed);
      return id;
    },
    /** Publishes events one after another, whose data have the numbers from 1. Returns their ids. */
    emitMany: async (count: number, more?: Data) => {
      const ids: string[] = [];
      for (let number = 1; number <= count; number += 1) ids.push(await emit({ number }, more));
      return ids;
    },
    /** Creates a subscription to a URL or a path of the receiver, for `redirect.added` by default. Returns it with its secret. */
    subscribe,
    /** Subscribes a URL to the type of an event, emits that, and waits until the delivery has this status. */
    deliver: async (target: string, status = "delivered", event: Data = {}) => {
      const { id } = await subscribe(target, [String(event.type ?? "redirect.added")]);
      const eventId = await emit({}, event);
      const found = await untilDelivery(id, status);
      return { id, eventId, delivery: found, deliveryId: found.id as string };
    },
    subscription,
    health: async (id: string) => (await subscription(id)).health,
    change: (id: string, change: object) => owner().patch(path(id), change),
    setActive: (id: string, active: boolean) => owner().patch(path(id), { active }),
    unsubscribe: (id: string) => owner().delete(path(id)),
    /** POSTs to a resource of the subscription. */
    act: (id: string, action: string, body?: object, headers?: Record<string, string>) =>
      owner().post(`${path(id)}/${action}`, body, headers),
    /** Starts a replay of all times. */
    replay: (id: string, include: string, more: object = {}) =>
      owner().post(`${path(id)}/replays`, { since: "2020-01-01T00:00:00Z", include, ...more }),
    redeliver: (deliveryId: string) => owner().post(`/v1/webhooks/deliveries/${deliveryId}/redeliver`),
    /** `query` is empty or begins with a question mark. */
    notices: async (query = ""): Promise<Json[]> => (await owner().get(`/v1/notices${query}`)).body.data,
    delivery,
    /** The deliveries of one subscription, newest first. */
    deliveries,
    statuses,
    /** Waits until all deliveries of a subscription, `count` if given, have this status. */
    untilAll: (subscriptionId: string, status: string, count?: number) =>
      until(`all to be ${status}`, async () => {
        const found = await statuses(subscriptionId);
        return (count === undefined || found.length === count) && found.every((one) => one === status);
      }),
    untilDeliveries: (subscriptionId: string, count: number) =>
      until(`${count} deliveries`, async () => {
        const found = await deliveries(subscriptionId);
        return found.length === count && found;
      }),
    /** Waits until the latest delivery of a subscription has this status. Returns it with its attempts. */
    untilDelivery,
    /** Waits until a delivery has this many attempts in the log, and the status, if given. Returns it with them. */
    untilAttempts: (deliveryId: string, count: number, status?: string) =>
      until(`${count} attempts`, async () => {
        if ((await delivery(deliveryId)).attempts?.length !== count) return false;
        // Again, because the service reads a delivery before its attempts.
        const found = await delivery(deliveryId);
        return found.status === (status ?? found.status) && found;
      }),
  };
}

export type TestTenant = ReturnType<typeof newTenant>;

/** The digest of a ledger, as a receiver computes it from its own table, in any order. */
export function digestOf(deliveryIds: readonly string[]): string {
  const hashes = deliveryIds.map((id) => BigInt(`0x${createHash("sha256").update(id).digest("hex")}`));
  const sum = hashes.reduce((total, hash) => total + hash, 0n);
  return (sum % 2n ** 256n).toString(16).padStart(64, "0");
}

/** The status of a response, and the fields at fault in alphabetical order. */
export const faultsOf = (response: Pick<ClientResponse, "status" | "body">) => [
  response.status,
  ...faultPaths(response),
];

/** Whether a request has the platform's signature of its body with this secret. */
export function isSigned(
  request: Received | undefined,
  secret: string,
  header = "x-service-signature",
): boolean {
  const hmac = createHmac("sha256", secret).update(request?.body ?? "");
  return request?.headers[header] === `sha256=${hmac.digest("hex")}`;
}
