// The tenant of one crash test. It creates and removes redirects, has one subscription to one kind of their events, and reads the
// results. The relay publishes the removals, while the process that creates a redirect publishes that event itself. Each crash has
// its own tenant, so that the tests do not affect each other.
import { randomUUID } from "node:crypto";
import { until } from "@tradepost/testing";
import type { CrashingService, CrashPlatform } from "./crash-platform.ts";
import type { Scenario } from "./crash-points.ts";

export type CrashTenant = Awaited<ReturnType<typeof newCrashTenant>>;

const REDIRECT_COUNT = 3;
const EMPTY_QUEUES = ["webhooks.events", "webhooks.deliveries", "webhooks.retry.20ms", "webhooks.poison"];

const SESSIONS =
  "select from pg_stat_activity where datname = current_database() and usename <> current_user";

// Takes the relay's locks, so that the relay waits.
const BLOCK_RELAY =
  "select pg_advisory_xact_lock(hashtext('tradepost.outbox'), shard) from generate_series(0, 3) shard";

// Simulates that the broker lost the messages of the deliveries.
const RESUME_WITHOUT_MESSAGES = `
  with resumed as (update subscriptions set active = true where tenant_id = $1)
  update deliveries
     set status = 'pending', queue_state = 'queued', next_attempt_at = now(), enqueued_at = now() - interval '1 minute'
   where tenant_id = $1`;

/** Creates the tenant. The scenario decides how the receiver responds, and whether the subscription is paused at first. */
export async function newCrashTenant(platform: CrashPlatform, scenario: Scenario) {
  const { receiver, channel, content, webhooks } = platform;
  const tenantId = randomUUID();
  const path = `/${tenantId}`;
  const type = scenario === "first event" ? "redirect.added" : "redirect.removed";
  const subscriptions = () => platform.as("webhooks", tenantId);
  receiver.behave(({ headers }) => {
    if (scenario === "dead") return 500;
    return scenario === "failing" && headers["x-service-attempt"] === "1" ? 500 : 200;
  });
  const { status, body } = await subscriptions().post("/v1/webhooks/subscriptions", {
    name: "Crash",
    url: receiver.url + path,
    events: [scenario === "missing" ? "media.uploaded" : type],
  });
  expect(status).toBe(201);
  const setActive = (active: boolean) =>
    subscriptions().patch(`/v1/webhooks/subscriptions/${body.data.id}`, { active });
  if (["paused", "lost", "queue"].includes(scenario)) await setActive(false);

  const countOf = async (text: string, values: unknown[] = [tenantId]) =>
    (await webhooks.query(text, values)).rowCount;
  const deliveries = async () => {
    const { rows } = await webhooks.query<{ id: string; event_id: string; status: string }>(
      "select id, event_id, status from all_deliveries where tenant_id = $1",
      [tenantId],
    );
    return rows;
  };

  let redirectCount = 0;
  const redirects = platform.as("content", tenantId);
  const createRedirect = async () => {
    redirectCount += 1;
    const { status, body } = await redirects.post("/v1/redirects", {
      from: `/old-${redirectCount}`,
      to: "/new",
    });
    expect(status).toBe(201);
    return body.data.id as string;
  };
  const untilPublished = () =>
    until("an empty outbox", async () => (await content.query("select from outbox")).rows.length === 0);
  const removeRedirect = async (id: string) =>
    expect((await redirects.delete(`/v1/redirects/${id}`)).status).toBe(200);

  return {
    id: tenantId,
    /** Returns the number of events of the subscription's type. */
    eventCount: () => redirectCount,
    deliveries,
    createRedirect,
    /** Creates redirects, for `removeAll`, and waits until their events are published. */
    createRedirects: async (count = REDIRECT_COUNT) => {
      const ids = await Promise.all(Array.from({ length: count }, createRedirect));
      await untilPublished();
      return ids;
    },
    /** Removes the redirects. The relay publishes the first event only after all are committed and acknowledged. */
    removeAll: async (ids: readonly string[]) => {
      const client = await content.connect();
      try {
        await client.query("begin");
        await client.query(BLOCK_RELAY);
        await Promise.all(ids.map(removeRedirect));
      } finally {
        // Closing the connection releases the locks.
        client.release(true);
      }
    },
    /** Requests a replay, as a consumer whose queue does not exist does. */
    requestReplay: async () => void channel.publish("platform.replay", "platform.events", Buffer.from("{}")),
    /** Deletes the events and deliveries, as if they had never been received. */
    loseEvents: async () => {
      await webhooks.query("delete from deliveries where tenant_id = $1", [tenantId]);
      await webhooks.query("delete from events where tenant_id = $1", [tenantId]);
    },
    deleteQueueOf: async (service: CrashingService) => {
      await channel.deleteQueue(service === "content" ? "content.replay" : "webhooks.events");
    },
    resume: () => setActive(true).catch(() => undefined),
    untilReceived: () =>
      until("all events", async () => {
        const received = "select from events where tenant_id = $1 and type = $2";
        return (await countOf(received, [tenantId, type])) === redirectCount;
      }),
    replayMissing: async () => {
      const path = `/v1/webhooks/subscriptions/${body.data.id}`;
      await subscriptions().patch(path, { events: [type] });
      const missing = { since: "2020-01-01T00:00:00Z", include: "missing" };
      await subscriptions()
        .post(`${path}/replays`, missing)
        .catch(() => undefined);
    },
    unsubscribe: () => subscriptions().delete(`/v1/webhooks/subscriptions/${body.data.id}`),
    resumeWithoutMessages: () => webhooks.query(RESUME_WITHOUT_MESSAGES, [tenantId]),
    /** Returns the ids of all events of the subscription's type that the content service has committed, in order. */
    committedEvents: async () => {
      const { rows } = await content.query<{ event_id: string }>(
        `select event_id from outbox where tenant_id = $1 and type = $2
          union all select event_id from published_events where tenant_id = $1 and type = $2 order by event_id`,
        [tenantId, type],
      );
      return rows.map(({ event_id }) => event_id);
    },
    /**
     * Expires the locks of the dead webhooks process. It waits for the end of the process's sessions, because Postgres may still
     * be executing their last statements.
     */
    expireLocks: async () => {
      await until("the end of the sessions", async () => (await webhooks.query(SESSIONS)).rows.length === 0);
      await webhooks.query("update deliveries set locked_until = now() where locked_until is not null");
    },
    untilSettled: (status: string) =>
      until(`deliveries that are ${status}`, async () => {
        const found = await deliveries();
        return found.length >= redirectCount && found.every((one) => one.status === status);
      }),
    /** Waits until nothing is left to publish, replay, fan out or send. */
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
    /** Waits until each event is in a compared tally, with none missing. */
    untilTallied: async () => {
      const { rows } = await content.query<{ last: Date }>(
        "select max(published_at) as last from published_events where tenant_id = $1",
        [tenantId],
      );
      const compared = "select from tallies where service = 'content' and compared_until > $1";
      await until(
        "the tally of the last event",
        async () => (await countOf(compared, [rows[0]?.last])) === 1,
      );
      expect(await countOf("select from missing_events where tenant_id = $1")).toBe(0);
      expect(await countOf("select from tally_gaps", [])).toBe(0);
    },
    /** Returns the number of requests to the receiver by delivery and attempt. */
    requestCounts: () => {
      const requests = receiver.received.filter((request) => request.path === path);
      const byAttempt = Map.groupBy(
        requests,
        ({ headers }) => `${headers["x-service-delivery"]} ${headers["x-service-attempt"]}`,
      );
      return new Map([...byAttempt].map(([attempt, group]) => [attempt, group.length]));
    },
    /** Checks that one notice counts the deliveries that failed for good. */
    expectFailedNotice: async (count: number) => {
      const { rows } = await webhooks.query(
        "select subscription_id, (facts -> 'count')::integer as count from notices where tenant_id = $1 and kind = 'delivery_failed'",
        [tenantId],
      );
      expect(rows).toEqual([{ subscription_id: body.data.id, count }]);
    },
    /**
     * Checks that each delivery has one published dead letter, and 1 or 2 messages in the queue: 2 if the process died in
     * between.
     */
    expectDeadLetters: async (deliveryIds: readonly string[]) => {
      // Ends the wait before the sweep publishes the dead letters.
      await webhooks.query("update dead_letters set failed_at = failed_at - interval '1 minute'");
      const published = "select from dead_letters where tenant_id = $1 and published_at is not null";
      await until("published dead letters", async () => (await countOf(published)) === deliveryIds.length);
      const queued: string[] = [];
      for (;;) {
        const message = await channel.get("webhooks.dead", { noAck: true });
        if (message === false) break;
        queued.push(JSON.parse(message.content.toString()).delivery_id);
      }
      expect(new Set(queued)).toEqual(new Set(deliveryIds));
      for (const copies of Map.groupBy(queued, String).values()) expect(copies.length).toBeLessThanOrEqual(2);
    },
  };
}
