// Starts the webhooks service on its own database and vhost, with access to its HTTP API, its exchanges and its database.
import { randomBytes, randomUUID } from "node:crypto";
import type { Principal } from "@tradepost/http";
import { connectPostgres } from "@tradepost/postgres";
import { createLogger, readSettings } from "@tradepost/runtime";
import {
  type ApiClient,
  createServiceDatabase,
  createTestBroker,
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

/** Starts a service that may deliver to this machine, with the settings given. */
export async function startTestWebhooks(overrides: Record<string, string> = {}, options: StartOptions = {}) {
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
    channel.publish(exchange, routingKey, Buffer.from(content), {
      persistent: true,
      messageId: randomUUID(),
    });
    await channel.waitForConfirms();
  };

  return {
    broker,
    /** The settings of the service, for another process of it. */
    environment,
    /** The service's URL; after a restart another one. */
    url: () => service.url,
    databaseUrl: database.url,
    /** As the service's own login. */
    serviceUrl: database.serviceUrl,
    db: postgres.db,
    pool: postgres.pool,
    /** Resolves with the rows. */
    query: async (text: string, ...values: unknown[]) => (await postgres.pool.query(text, values)).rows,
    /** A client of the service, or of the replica at a URL, whose requests are signed for the principal; an owner by default. */
    as,
    tenant: () => newTenant(as),
    /** Publishes an event, as the relay of another service does. Returns its id. */
    emit: async (
      tenantId: string,
      data: Record<string, unknown> = {},
      more: Record<string, unknown> = {},
    ) => {
      const event = eventOf(tenantId, data, more);
      await publish(EXCHANGE, event.type, JSON.stringify(event));
      return event.id;
    },
    publish,
    /** The audit entries of a subscription or delivery, oldest first. */
    auditEntries: async (tenantId: string, targetId: string) => {
      const { rows } = await postgres.pool.query(
        "select type as action, actor, data from outbox where tenant_id = $1 and aggregate_id = $2 order by id",
        [tenantId, targetId],
      );
      return rows as { action: string; actor: unknown; data: unknown }[];
    },
    /** Resolves once this many sessions of the database wait for a lock. */
    untilLocked: (count = 1) =>
      until(`${count} sessions that wait for a lock`, async () => {
        const { rowCount } = await postgres.pool.query(
          "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
        );
        return rowCount === count;
      }),
    /** Executes a statement in a transaction, which lasts until its commit, or else to the end of the scope. */
    begin: async (text: string, values: unknown[] = []) => {
      const client = await postgres.pool.connect();
      await client.query("begin");
      await client.query(text, values);
      return {
        commit: () => client.query("commit"),
        [Symbol.asyncDispose]: async () => client.release(true),
      };
    },
    /** Every row of every table, as text. */
    dump: async () => {
      const { rows: tables } = await postgres.pool.query<{ table_name: string }>(
        "select table_name from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE'",
      );
      const dumps = await Promise.all(
        tables.map(({ table_name }) => postgres.pool.query(`select t::text as row from "${table_name}" t`)),
      );
      return dumps.flatMap(({ rows }) => rows.map(({ row }) => row as string)).join("\n");
    },
    /** Copies a delivery as unattempted deliveries without a message. Returns their ids. */
    copyDelivery: async (deliveryId: string, count: number, { lockedFor }: { lockedFor: string | null }) => {
      const { rows } = await postgres.pool.query<{ id: string }>(COPY_DELIVERY, [
        deliveryId,
        count,
        lockedFor,
      ]);
      return rows.map(({ id }) => id);
    },
    ready: async (queue: string) => (await channel.checkQueue(queue)).messageCount,
    purge: (queue: string) => broker.manage("DELETE", `/queues/${queue}/contents`),
    deleteQueue: (queue: string) => broker.manage("DELETE", `/queues/${queue}`),
    /** The bodies of the messages that are published to `webhooks.deliveries` from now on. */
    captureJobs: async () => {
      const { queue } = await channel.assertQueue("", { exclusive: true });
      await channel.bindQueue(queue, "webhooks.queues", "webhooks.deliveries");
      const jobs: { delivery_id: string; attempt: number }[] = [];
      await channel.consume(
        queue,
        (message) => jobs.push(JSON.parse(message?.content.toString() ?? "null")),
        {
          noAck: true,
        },
      );
      return jobs;
    },
    /** Starts another replica on the same database and broker, with the settings given. */
    startReplica: async (more: Record<string, string> = {}) => {
      const replica = await start(more);
      running.defer(() => replica.stop());
      return replica;
    },
    /** Stops the service and starts it with other settings on the same database and broker. */
    restart: async (more: Record<string, string>) => {
      await service.stop();
      service = await start(more);
    },
    /** Stops only the service. */
    stopService: () => service.stop(),
    stop: () => running.disposeAsync(),
  };
}

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

function eventOf(tenantId: string, data: Record<string, unknown>, more: Record<string, unknown>) {
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

function newTenant(as: (principal: Partial<Principal>, url?: string) => ApiClient) {
  const tenantId = randomUUID();
  // A new client each time: after a restart the service has another port.
  const owner = (url?: string) => as({ tenantId }, url);
  const delivery = async (id: string) => (await owner().get(`/v1/webhooks/deliveries/${id}`)).body.data;
  const deliveries = async (subscriptionId: string) =>
    (await owner().get(`/v1/webhooks/deliveries?limit=100&subscriptionId=${subscriptionId}`)).body.data;
  const path = (subscriptionId: string) => `/v1/webhooks/subscriptions/${subscriptionId}`;
  const statuses = async (subscriptionId: string): Promise<string[]> =>
    (await deliveries(subscriptionId)).map(({ status }: { status: string }) => status);
  return {
    tenantId,
    owner,
    /** Creates a subscription, to `redirect.added` by default. Returns it with its secret. */
    subscribe: async (url: string, events = ["redirect.added"]) => {
      const { status, body } = await owner().post("/v1/webhooks/subscriptions", {
        name: "Test",
        url,
        events,
      });
      if (status !== 201) throw new Error(`subscription not created: ${status} ${JSON.stringify(body)}`);
      return body.data as { id: string; signingSecret: string };
    },
    subscription: async (id: string) => (await owner().get(path(id))).body.data,
    change: (id: string, change: object) => owner().patch(path(id), change),
    setActive: (id: string, active: boolean) => owner().patch(path(id), { active }),
    unsubscribe: (id: string) => owner().delete(path(id)),
    /** POSTs to a resource of the subscription. */
    act: (id: string, action: string, body?: object) => owner().post(`${path(id)}/${action}`, body),
    /** `query` is empty or begins with a question mark. */
    notices: async (query = "") => (await owner().get(`/v1/notices${query}`)).body.data,
    delivery,
    /** The deliveries of one subscription, newest first. */
    deliveries,
    /** Their statuses. */
    statuses,
    /** Waits until all deliveries of a subscription have this status, of which there are `count`, if it is given. */
    untilAll: (subscriptionId: string, status: string, count?: number) =>
      until(`all to be ${status}`, async () => {
        const found = await statuses(subscriptionId);
        return (count === undefined || found.length === count) && found.every((one) => one === status);
      }),
    /** Waits until the only delivery of a subscription has this status. Returns it with its attempts. */
    untilDelivery: (subscriptionId: string, status: string) =>
      until(`a delivery that is ${status}`, async () => {
        const [found] = await deliveries(subscriptionId);
        return found?.status === status && (await delivery(found.id));
      }),
  };
}

export type TestTenant = ReturnType<typeof newTenant>;
