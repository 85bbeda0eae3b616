// Runs random operations: receivers fail, admins pause, resume and delete, messages and database connections are lost. The
// seed determines the operations but not their timing.
import { randomUUID } from "node:crypto";
import { sleep } from "@tradepost/runtime";
import { numbersFrom, type Receiver, until } from "@tradepost/testing";
import { deadLetters } from "../../src/operate.ts";
import type { TestTenant, TestWebhooks } from "./webhooks.ts";

const TENANTS = 3;
const SUBSCRIPTIONS_PER_TENANT = 5;
const STEPS = 40;
const TYPES = ["redirect.added", "media.uploaded"];
// The share of requests that each receiver fails.
const FAILURE_RATES = [0, 0.3, 0.8, 0.9];

interface RandomSubscription {
  readonly tenant: TestTenant;
  readonly id: string;
  readonly types: readonly string[];
  isDeleted: boolean;
  isPaused: boolean;
}

export type RandomRun = Awaited<ReturnType<typeof runRandomly>>;

/** Runs until every delivery has ended or is paused. */
export async function runRandomly(webhooks: TestWebhooks, receiver: Receiver, seed: number) {
  const random = numbersFrom(seed);
  const below = (bound: number) => Math.floor(random() * bound);
  const oneOf = <Item>(items: readonly Item[]) => items[below(items.length)] as Item;
  // By delivery id, how many requests got a 200 or no response.
  const acknowledged = new Map<string, number>();
  const hung = new Map<string, number>();
  await webhooks.query(RECORD_EXPIRED_LOCKS);

  receiver.behave(({ path, headers }) => {
    const delivery = String(headers["x-service-delivery"]);
    if (random() >= Number(path.slice(1))) {
      increment(acknowledged, delivery);
      return 200;
    }
    const failure = oneOf([500, 503, 404, 302, "reset", "reset", "hang"] as const);
    if (failure === "hang") increment(hung, delivery);
    return failure;
  });

  const tenants = Array.from({ length: TENANTS }, () => webhooks.tenant());
  const subscriptions: RandomSubscription[] = [];
  for (const tenant of tenants) {
    for (let number = 0; number < SUBSCRIPTIONS_PER_TENANT; number += 1) {
      const types = oneOf([TYPES, TYPES.slice(0, 1), TYPES.slice(1)]);
      const { id } = await tenant.subscribe(`/${oneOf(FAILURE_RATES)}`, types);
      subscriptions.push({ tenant, id, types, isDeleted: false, isPaused: false });
    }
  }
  const events: { id: string; tenantId: string; type: string }[] = [];
  const existing = () => subscriptions.filter(({ isDeleted }) => !isDeleted);

  const setPaused = async (subscription: RandomSubscription, isPaused: boolean) => {
    subscription.isPaused = isPaused;
    await retryUntilDone(() => subscription.tenant.setActive(subscription.id, !isPaused));
  };
  // None deletes a queue: if a queue is deleted right after its declaration, RabbitMQ 3.10 stops dead-lettering in all
  // vhosts until it is restarted.
  const operations: (() => Promise<unknown>)[] = [
    async () => setPaused(oneOf(existing()), true),
    async () => setPaused(oneOf(existing()), false),
    async () => {
      const subscription = oneOf(existing());
      if (existing().length <= subscriptions.length / 2) return;
      subscription.isDeleted = true;
      await retryUntilDone(() => subscription.tenant.unsubscribe(subscription.id));
    },
    async () => {
      const { tenant, id } = oneOf(existing());
      const deliveries = (await tenant.deliveries(id)) ?? [];
      if (deliveries.length > 0) await tenant.redeliver(oneOf(deliveries).id);
    },
    async () => {
      const { tenant, id } = oneOf(existing());
      const since = new Date(Date.now() - 60_000).toISOString();
      await tenant.act(id, "recover", { since });
    },
    async () => deadLetters.redrive(webhooks.db, { subscription: oneOf(existing()).id }),
    async () => webhooks.purge(`webhooks.retry.${oneOf(["20ms", "40ms", "80ms"])}`),
    // The locks of all attempts in progress expire, as after the death of a replica.
    async () => webhooks.pool.query(EXPIRE_LOCKS),
    async () =>
      webhooks.pool.query(
        `select pg_terminate_backend(pid) from pg_stat_activity
          where datname = current_database() and application_name = 'webhooks'`,
      ),
  ];

  for (let step = 0; step < STEPS; step += 1) {
    for (const { tenantId } of tenants) {
      const event = { id: randomUUID(), tenantId, type: oneOf(TYPES) };
      events.push(event);
      const copies = oneOf([1, 1, 2, 3]);
      const emit = () => webhooks.emit(tenantId, { step }, { id: event.id, type: event.type });
      await Promise.all(Array.from({ length: copies }, emit));
    }
    await Promise.all(
      Array.from({ length: below(4) }, () => oneOf(operations)().catch(ignoreLostConnection)),
    );
    await sleep(below(30));
  }
  for (const subscription of existing()) await setPaused(subscription, random() < 0.15);
  await untilAllEnded(webhooks, tenants, events.length);
  const { rows } = await webhooks.pool.query<{ id: string }>("select id from expired_locks");
  // By delivery id, how often the lock of an attempt expired before its outcome was stored.
  const expiredLocks = new Map<string, number>();
  for (const { id } of rows) increment(expiredLocks, id);
  return { subscriptions, events, acknowledged, hung, expiredLocks };
}

const EXPIRE_LOCKS = `
  with locked as (
    select tenant_id, id from deliveries where locked_until > now() order by tenant_id, id for no key update
  )
  update deliveries set locked_until = now() - interval '1 s'
    from locked
   where deliveries.tenant_id = locked.tenant_id and deliveries.id = locked.id`;

// On a slow machine a lock also expires by itself, so the database records each one that is taken over.
const RECORD_EXPIRED_LOCKS = `
  create table expired_locks (id uuid not null);
  create function record_expired_lock() returns trigger language plpgsql security definer set search_path = public as $$
    begin
      insert into expired_locks values (old.id);
      return null;
    end $$;
  create trigger record_expired_lock after update on deliveries for each row
    when (old.locked_until < clock_timestamp() and new.locked_until is distinct from old.locked_until
          and new.attempt_count = old.attempt_count and new.generation = old.generation)
    execute function record_expired_lock()`;

/** A request whose database connection was cut fails, and is repeated. 404: it was deleted in the meantime. */
async function retryUntilDone(send: () => Promise<{ status: number }>): Promise<void> {
  await until("a response", async () => [200, 404].includes((await send()).status));
}

/** This code uses the same database and broker, so its connections are cut as well. */
function ignoreLostConnection(error: unknown): void {
  if (!/terminat|Connection|ECONNRESET|404/.test(String(error))) throw error;
}

async function untilAllEnded(webhooks: TestWebhooks, tenants: readonly TestTenant[], eventCount: number) {
  const parameters = [tenants.map(({ tenantId }) => tenantId)];
  await until("the end of all deliveries", async () => {
    const rows = await webhooks.query(
      `select (select count(*)::int from events where tenant_id = any($1)) as events,
                (select count(*)::int from deliveries where tenant_id = any($1)
                  and (status <> 'paused' or locked_until > now()))
                + (select count(*)::int from reconciliations) as open`,
      ...parameters,
    );
    return rows[0].events === eventCount && rows[0].open === 0;
  });
}

function increment(counts: Map<string, number>, key: string): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}
