// An ERP receives events, fails, and gets them again. A developer's laptop receives the same events with a listener.
import { apiClient, bearer, type Receiver, until } from "@tradepost/testing";
import type { Credentials } from "./identity-story.ts";
import type { Call } from "./recorder.ts";

const DAY_MS = 24 * 60 * 60_000;

/** Runs the story. The retries for `receiver` must end soon. */
export async function webhooksStory(
  call: Call,
  credentials: Credentials,
  { gatewayUrl, receiver }: { gatewayUrl: string; receiver: Receiver },
): Promise<void> {
  await receiverStory(call, credentials, { gatewayUrl, receiver });
  await listenerStory(call, credentials);
}

async function receiverStory(
  call: Call,
  { ownerToken, apiKey: token }: Credentials,
  { gatewayUrl, receiver }: { gatewayUrl: string; receiver: Receiver },
): Promise<void> {
  await call("listEventTypes", { token });
  const { data: subscription } = await call("createSubscription", {
    token: ownerToken,
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
  const { data: redirect } = await call("createRedirect", {
    token,
    body: { from: "/winter", to: "/collections/winter" },
  });
  const client = apiClient(gatewayUrl, bearer(token));
  const untilStatus = (status: string) =>
    until(`a delivery that is ${status}`, async () => {
      const { body } = await client.get(
        `/v1/webhooks/deliveries?subscriptionId=${subscription.id}&status=${status}`,
      );
      return body.data[0] as { id: string; eventId: string } | undefined;
    });
  const failed = await untilStatus("failed");
  const delivery = { id: failed.id };
  await call("getSubscription", { token, params });
  await call("listSubscriptions", { token, query: { active: "true" } });
  await call("listDeliveries", { token, query: { status: "failed", statusCode: "503", limit: "10" } });
  await call("getDelivery", { token, params: delivery });
  await call("listWebhookEvents", { token, query: { resourceId: redirect.id } });
  await call("getWebhookEvent", { token, params: { id: failed.eventId } });

  const destination = { url: `${receiver.url}/notices`, kinds: ["endpoint_down", "delivery_failed"] };
  await call("putNoticeDestination", { token: ownerToken, body: destination });
  await call("getNoticeDestination", { token: ownerToken });
  const { data: notices } = await call("listNotices", { token, query: { kind: "delivery_failed" } });
  await call("acknowledgeNotice", { token: ownerToken, params: { id: notices[0].id } });
  await call("deleteNoticeDestination", { token: ownerToken });

  receiver.behave(() => 200);
  await call("retryWaitingDeliveries", { token: ownerToken, params });
  const since = new Date(Date.now() - DAY_MS).toISOString();
  const recovery = await call("recoverDeliveries", { token: ownerToken, params, body: { since } });
  await call("getRecovery", { token, params: { id: recovery.data.id } });
  await untilStatus("delivered");
  await call("previewFilter", {
    token,
    body: { events: ["redirect.added"], filter: { fromPrefix: ["/winter"] } },
  });
  const replay = await call("startReplay", { token: ownerToken, params, body: { since, include: "all" } });
  await call("listReplays", { token, params });
  await call("getReplay", { token, params: { id: replay.data.id } });
  await call("cancelReplay", { token: ownerToken, params: { id: replay.data.id } });
  const day = new Date().toISOString();
  const subscriptionId = subscription.id;
  await call("getWebhookStatistics", { token, query: { subscriptionId, by: "hour" } });
  await call("getLedger", { token, query: { subscriptionId, day: day.slice(0, 10) } });
  await call("listLedgerDeliveries", { token, query: { subscriptionId, hour: day.slice(0, 13) } });
  await call("redeliver", { token: ownerToken, params: delivery });
  await call("sendTestDelivery", { token: ownerToken, params, body: { type: "media.processed" } });
  await call("rotateSubscriptionSecret", { token: ownerToken, params, body: { overlapHours: 48 } });
  await call("updateSubscription", {
    token: ownerToken,
    params,
    body: { active: false, headers: { Authorization: "•••" } },
  });
  await call("deleteSubscription", { token: ownerToken, params });
}

async function listenerStory(call: Call, { apiKey: token }: Credentials): Promise<void> {
  const { data: listener } = await call("createListener", {
    token,
    body: { name: "Laptop", events: ["redirect.added"], expiresInHours: 8 },
  });
  const params = { id: listener.id };
  await call("createRedirect", { token, body: { from: "/spring", to: "/collections/spring" } });
  const { data: leased } = await call("leaseDeliveries", {
    token,
    params,
    body: { limit: 1, waitSeconds: 25 },
  });
  await call("getListener", { token, params });
  await call("listListeners", { token });
  const [{ deliveryId, attempt, leaseId }] = leased;
  const ofDelivery = { id: listener.id, deliveryId };
  await call("reportResult", {
    token,
    params: ofDelivery,
    body: { leaseId, attempt, statusCode: 200, responseBody: "ok", durationMs: 38 },
  });
  await call("redeliverToListener", { token, params: ofDelivery });
  await call("deleteListener", { token, params });
}
