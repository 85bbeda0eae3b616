// Each event records how many subscriptions it matched, and a metric counts the events that have fewer deliveries.
import { randomUUID } from "node:crypto";
import { describe, expect, test } from "@jest/globals";
import { readMetrics, until } from "@tradepost/testing";
import { v7 as uuidv7 } from "uuid";
import { useWebhooks } from "./support/use-webhooks.ts";

describe("the matches of an event", () => {
  const { webhooks, receiver, tenant } = useWebhooks({});

  const matchedOf = (eventId: string) =>
    until("the event", async () => {
      const { rows } = await webhooks.pool.query<{ matched: number | null }>(
        "select matched from events where tenant_id = $1 and id = $2",
        [tenant.tenantId, eventId],
      );
      return rows[0];
    });
  const unaccounted = async () => (await readMetrics(webhooks.url()))("events_unaccounted");
  /** An event whose id is a minute old. */
  const emitAged = (more: Record<string, unknown> = {}) =>
    webhooks.emit(tenant.tenantId, {}, { id: uuidv7({ msecs: Date.now() - 60_000 }), ...more });

  test("are counted at its fan-out, for active and paused subscriptions and for none", async () => {
    await tenant.subscribe(`${receiver.url}/one`);
    const paused = await tenant.subscribe(`${receiver.url}/two`);
    await tenant.setActive(paused.id, false);
    expect(await matchedOf(await webhooks.emit(tenant.tenantId))).toEqual({ matched: 2 });
    const unmatched = await webhooks.emit(tenant.tenantId, {}, { type: "media.uploaded" });
    expect(await matchedOf(unmatched)).toEqual({ matched: 0 });
  });

  test("are counted once if it is received several times, also after more subscriptions were created", async () => {
    await tenant.subscribe(`${receiver.url}/first`);
    const id = randomUUID();
    const again = () => webhooks.emit(tenant.tenantId, {}, { id });
    await Promise.all([again(), again(), again()]);
    expect(await matchedOf(id)).toEqual({ matched: 1 });
    const later = await tenant.subscribe(`${receiver.url}/later`);
    await again();
    await webhooks.emit(tenant.tenantId);
    await tenant.untilDelivery(later.id, "delivered");
    expect(await tenant.deliveries(later.id)).toHaveLength(1);
    expect(await matchedOf(id)).toEqual({ matched: 1 });
  });

  test("are counted separately for two tenants with the same event id", async () => {
    const other = webhooks.tenant();
    await tenant.subscribe(`${receiver.url}/mine`);
    const id = randomUUID();
    await Promise.all([
      webhooks.emit(other.tenantId, {}, { id }),
      webhooks.emit(tenant.tenantId, {}, { id }),
    ]);
    expect(await matchedOf(id)).toEqual({ matched: 1 });
  });

  test("are one for an example event", async () => {
    const { id } = await tenant.subscribe(`${receiver.url}/example`);
    const { body } = await tenant.owner().post(`/v1/webhooks/subscriptions/${id}/test`);
    expect(await matchedOf(body.data.eventId)).toEqual({ matched: 1 });
  });

  test("have deliveries: the metric counts events that lack one, whatever its status was", async () => {
    const active = await tenant.subscribe(`${receiver.url}/active`);
    const paused = await tenant.subscribe(`${receiver.url}/paused`);
    await tenant.setActive(paused.id, false);
    for (let count = 1; count <= 3; count += 1) await emitAged();
    await until("all to be delivered", async () => {
      const deliveries = (await tenant.deliveries(active.id)) as { status: string }[];
      return deliveries.length === 3 && deliveries.every(({ status }) => status === "delivered");
    });
    expect(await unaccounted()).toBe(0);
    const [, second, third] = await tenant.deliveries(active.id);
    const sameEvent = (await tenant.deliveries(paused.id)).find(
      ({ eventId }: { eventId: string }) => eventId === second.eventId,
    );
    await webhooks.pool.query("delete from delivery_log where id = $1", [second.id]);
    expect(await unaccounted()).toBe(1);
    await webhooks.pool.query("delete from deliveries where id = $1", [sameEvent.id]);
    expect(await unaccounted()).toBe(1);
    await webhooks.pool.query("delete from deliveries where event_id = $1", [third.eventId]);
    expect(await unaccounted()).toBe(2);
    // An event from before the column existed.
    await webhooks.pool.query("update events set matched = null where tenant_id = $1", [tenant.tenantId]);
    expect(await unaccounted()).toBe(0);
  });

  test("are left out of the scrape if they cannot be counted: no comparison finds a NaN", async () => {
    await webhooks.pool.query("alter table events rename column matched to renamed");
    try {
      expect(await unaccounted()).toBeUndefined();
    } finally {
      await webhooks.pool.query("alter table events rename column renamed to matched");
    }
  });
});
