// A tenant of a crash test: adds redirects, one subscription hears of them, and all that became of them can be told. Each
// crash has one of its own, so that no crash is mixed with another's traces.
import { randomUUID } from "node:crypto";
import { expect } from "@jest/globals";
import { until } from "@tradepost/testing";
import type { CrashingService, CrashPlatform } from "./crash-platform.ts";
import type { Cause } from "./crash-points.ts";

export type CrashTenant = Awaited<ReturnType<typeof newCrashTenant>>;

const REDIRECT_COUNT = 3;
const EMPTY_QUEUES = ["webhooks.events", "webhooks.deliveries", "webhooks.retry.20ms", "webhooks.poison"];

// The relay's own locks: while a test has them, it waits.
const HOLD_RELAY =
  "select pg_advisory_xact_lock(hashtext('tradepost.outbox'), shard) from generate_series(0, 3) shard";

// As if the broker had lost the messages of deliveries that it once had.
const RESUME_WITHOUT_MESSAGES = `
  with resumed as (update subscriptions set active = true where tenant_id = $1)
  update deliveries
     set status = 'pending', queue_state = 'queued', next_attempt_at = now(), enqueued_at = now() - interval '1 minute'
   where tenant_id = $1`;

/** In: what its crash is caused by: the receiver behaves so, and the subscription is paused from the start or not. */
export async function newCrashTenant(platform: CrashPlatform, cause: Cause) {
  const { receiver, channel, content, webhooks } = platform;
  const tenantId = randomUUID();
  const path = `/${tenantId}`;
  const subscriptions = () => platform.as("webhooks", tenantId);
  receiver.behave(({ headers }) => {
    if (cause === "dead") return 500;
    return cause === "failing" && headers["x-service-attempt"] === "1" ? 500 : 200;
  });
  const { status, body } = await subscriptions().post("/v1/webhooks/subscriptions", {
    name: "Crash",
    url: receiver.url + path,
    events: ["redirect.added"],
  });
  expect(status).toBe(201);
  const setActive = (active: boolean) =>
    subscriptions().patch(`/v1/webhooks/subscriptions/${body.data.id}`, { active });
  if (["paused", "lost", "queue"].includes(cause)) await setActive(false);

  const deliveries = async () => {
    const { rows } = await webhooks.query<{ id: string; event_id: string; status: string }>(
      "select id, event_id, status from all_deliveries where tenant_id = $1",
      [tenantId],
    );
    return rows;
  };

  return {
    id: tenantId,
    redirectCount: REDIRECT_COUNT,
    deliveries,
    /** All of them are committed, and answered, before the relay may take up the first. */
    addRedirects: async () => {
      const client = await content.connect();
      try {
        await client.query("begin");
        await client.query(HOLD_RELAY);
        const answers = await Promise.all(
          Array.from({ length: REDIRECT_COUNT }, (_, number) =>
            platform.as("content", tenantId).post("/v1/redirects", { from: `/old-${number}`, to: "/new" }),
          ),
        );
        expect(answers.map((answer) => answer.status)).toEqual(answers.map(() => 201));
      } finally {
        // Closed, and the locks freed with it.
        client.release(true);
      }
    },
    /** As a consumer does that does not find its queue. */
    askForReplay: async () => void channel.publish("platform.replay", "platform.events", Buffer.from("{}")),
    /** As if its events had never come out of the queue. */
    forget: async () => {
      await webhooks.query("delete from deliveries where tenant_id = $1", [tenantId]);
      await webhooks.query("delete from events where tenant_id = $1", [tenantId]);
    },
    deleteQueueOf: async (service: CrashingService) => {
      await channel.deleteQueue(service === "content" ? "content.replay" : "webhooks.events");
    },
    resume: () => setActive(true).catch(() => undefined),
    unsubscribe: () => subscriptions().delete(`/v1/webhooks/subscriptions/${body.data.id}`),
    resumeWithoutMessages: () => webhooks.query(RESUME_WITHOUT_MESSAGES, [tenantId]),
    /** The ids of what the content service committed, whether it was published yet or not; in order. */
    committedEvents: async () => {
      const { rows } = await content.query<{ event_id: string }>(
        `select event_id from outbox where tenant_id = $1
          union all select event_id from published_events where tenant_id = $1 order by event_id`,
        [tenantId],
      );
      return rows.map(({ event_id }) => event_id);
    },
    /** The dead process's lock, and the time that it would have had to lay its dead letters, are over. */
    letLocksRunOut: async () => {
      await webhooks.query("update deliveries set locked_until = now() where locked_until is not null");
      await webhooks.query("update dead_letters set failed_at = failed_at - interval '1 minute'");
    },
    untilSettled: (status: string) =>
      until(`deliveries that are ${status}`, async () => {
        const found = await deliveries();
        return found.length >= REDIRECT_COUNT && found.every((one) => one.status === status);
      }),
    /** Nothing is left to be published, replayed, fanned out or sent. */
    untilQuiet: async () => {
      await until("an empty outbox and no replay", async () => {
        const { rows } = await content.query(
          "select 1 from outbox union all select 1 from replay union all select 1",
        );
        return rows.length === 1;
      });
      for (const queue of EMPTY_QUEUES) {
        await until(`${queue} to be empty`, async () => (await channel.checkQueue(queue)).messageCount === 0);
      }
    },
    /** How often the receiver was called, by delivery and attempt. */
    calls: () => {
      const mine = receiver.received.filter((request) => request.path === path);
      const ofAttempts = Map.groupBy(
        mine,
        ({ headers }) => `${headers["x-service-delivery"]} ${headers["x-service-attempt"]}`,
      );
      return new Map([...ofAttempts].map(([attempt, requests]) => [attempt, requests.length]));
    },
    /** Each has one dead letter, noted as laid, and lies in the queue: twice at most, as its layer was killed once. */
    expectLaid: async (deliveryIds: readonly string[]) => {
      await until("dead letters that were laid", async () => {
        const { rows } = await webhooks.query(
          "select 1 from dead_letters where tenant_id = $1 and published_at is not null",
          [tenantId],
        );
        return rows.length === deliveryIds.length;
      });
      const laid: string[] = [];
      for (;;) {
        const message = await channel.get("webhooks.dead", { noAck: true });
        if (message === false) break;
        laid.push(JSON.parse(message.content.toString()).delivery_id);
      }
      expect(new Set(laid)).toEqual(new Set(deliveryIds));
      for (const copies of Map.groupBy(laid, String).values()) expect(copies.length).toBeLessThanOrEqual(2);
    },
  };
}
