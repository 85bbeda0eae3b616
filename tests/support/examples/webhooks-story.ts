// An ERP receives events, fails, and gets them again. A developer's laptop receives the same events with a listener.
import { type Receiver, until } from "@tradepost/testing";
import type { Call, Callers } from "./recorder.ts";

const DAY_MS = 24 * 60 * 60_000;

/** Runs the story. The retries for `receiver` must end soon. */
export async function webhooksStory(callers: Callers, receiver: Receiver): Promise<void> {
  await receiverStory(callers, receiver);
  await listenerStory(callers.key);
}

async function receiverStory({ owner, key, client }: Callers, receiver: Receiver): Promise<void> {
  await key("listEventTypes");
  const { data: subscription } = await owner("createSubscription", {
    headers: { "idempotency-key": "erp-1" },
    body: {
      name: "ERP",
      url: `${receiver.url}/hooks/tradepost`,
      events: ["redirect.added", "redirect.removed"],
      filter: { fromPrefix: ["/winter", "/summer"] },
      headers: { Authorization: "Bearer erp-receiver" },
    },
  });
  const params = { id: subscription.id };
  receiver.behave(() => 503);
  const { data: redirect } = await key("createRedirect", {
    body: { from: "/winter", to: "/collections/winter" },
  });
  const untilStatus = (status: string) =>
    until(`a delivery that is ${status}`, async () => {
      const { body } = await client.get(
        `/v1/webhooks/deliveries?subscriptionId=${subscription.id}&status=${status}`,
      );
      return body.data[0] as { id: string; eventId: string } | undefined;
    });
  const failed = await untilStatus("failed");
  const delivery = { id: failed.id };
  await key("getSubscription", { params });
  await key("listSubscriptions", { query: { active: "true" } });
  await key("listDeliveries", { query: { status: "failed", statusCode: "503", limit: "10" } });
  await key("getDelivery", { params: delivery });
  await key("listWebhookEvents", { query: { resourceId: redirect.id } });
  await key("getWebhookEvent", { params: { id: failed.eventId } });

  const destination = { url: `${receiver.url}/notices`, kinds: ["endpoint_down", "delivery_failed"] };
  await owner("putNoticeDestination", { body: destination });
  await owner("getNoticeDestination");
  const { data: notices } = await key("listNotices", { query: { kind: "delivery_failed" } });
  await owner("acknowledgeNotice", { params: { id: notices[0].id } });
  await owner("deleteNoticeDestination");

  receiver.behave(() => 200);
  await owner("retryWaitingDeliveries", { params });
  const since = new Date(Date.now() - DAY_MS).toISOString();
  const recovery = await owner("recoverDeliveries", { params, body: { since } });
  await key("getRecovery", { params: { id: recovery.data.id } });
  await untilStatus("delivered");
  await key("previewFilter", { body: { events: ["redirect.added"], filter: { fromPrefix: ["/winter"] } } });
  const replay = await owner("startReplay", { params, body: { since, include: "all" } });
  await key("listReplays", { params });
  await key("getReplay", { params: { id: replay.data.id } });
  await owner("cancelReplay", { params: { id: replay.data.id } });
  const day = new Date().toISOString();
  const subscriptionId = subscription.id;
  await key("getWebhookStatistics", { query: { subscriptionId, by: "hour" } });
  await key("getLedger", { query: { subscriptionId, day: day.slice(0, 10) } });
  await key("listLedgerDeliveries", { query: { subscriptionId, hour: day.slice(0, 13) } });
  await owner("redeliver", { params: delivery });
  await owner("sendTestDelivery", { params, body: { type: "media.processed" } });
  await owner("rotateSubscriptionSecret", { params, body: { overlapHours: 48 } });
  await owner("updateSubscription", { params, body: { active: false, headers: { Authorization: "•••" } } });
  await owner("deleteSubscription", { params });
}

async function listenerStory(key: Call): Promise<void> {
  const { data: listener } = await key("createListener", {
    body: { name: "Laptop", events: ["redirect.added"], expiresInHours: 8 },
  });
  const params = { id: listener.id };
  await key("createRedirect", { body: { from: "/spring", to: "/collections/spring" } });
  const { data: leased } = await key("leaseDeliveries", { params, body: { limit: 1, waitSeconds: 25 } });
  await key("getListener", { params });
  await key("listListeners");
  const [{ deliveryId, attempt, leaseId }] = leased;
  const ofDelivery = { id: listener.id, deliveryId };
  await key("reportResult", {
    params: ofDelivery,
    body: { leaseId, attempt, statusCode: 200, responseBody: "ok", durationMs: 38 },
  });
  await key("redeliverToListener", { params: ofDelivery });
  await key("deleteListener", { params });
}
