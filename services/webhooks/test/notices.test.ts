// Notices of one endpoint in the order of its attempts, and how they are listed and acknowledged (interface §17).
import { randomUUID } from "node:crypto";
import { beforeEach, expect, test } from "@jest/globals";
import { until } from "@tradepost/testing";
import { createResponseBodies } from "../src/sending/settle/attempt-log.ts";
import { recordAttempts } from "../src/sending/settle/record-attempts.ts";
import { useWebhooks } from "./support/use-webhooks.ts";

let subscriptionId: string;
const { webhooks, receiver, tenant } = useWebhooks({});
beforeEach(async () => {
  subscriptionId = (await tenant.subscribe(`${receiver.url}/hook`)).id;
});

/** Records attempts with these status codes in one batch, each of another delivery. */
async function attempt(...statusCodes: number[]) {
  const made = statusCodes.map((statusCode) => {
    const isDelivered = statusCode === 200;
    return {
      delivery: {
        ...{ tenantId: tenant.tenantId, subscriptionId, deliveryId: randomUUID(), eventId: randomUUID() },
        ...{ generation: 1, attempt: 1, requestId: "", traceparent: null, type: "redirect.added" },
        subscriptionVersion: 1,
      },
      attempt: {
        ...{ at: new Date(), durationMs: 1, statusCode, responseBody: null, holdMs: null },
        outcome: isDelivered ? ("delivered" as const) : ("http_status" as const),
      },
      transition: isDelivered
        ? { name: "attempt succeeded" as const }
        : { name: "attempt failed" as const, wait: { label: "1h", ms: 3_600_000 }, delayMs: 3_600_000 },
    };
  });
  await recordAttempts(webhooks.pool, createResponseBodies(), made, []);
}

const list = async (query: Record<string, string>) =>
  (await tenant.owner().get(`/v1/notices?${new URLSearchParams(query)}`)).body;

test("two episodes in one batch are two notices, and the first closes before the second opens", async () => {
  await tenant.owner().put("/v1/notices/destination", { url: `${receiver.url}/notices` });
  await attempt(500, 500, 500, 500, 500, 200, 503, 503, 503, 503, 503);
  await until("three messages", () => receiver.received.length === 3);
  const sent = receiver.received.map(({ headers, body }) => {
    const { id, facts } = JSON.parse(String(body)).data.notice;
    return { id, event: headers["x-service-event"], lastStatusCode: facts.lastStatusCode };
  });
  const { data } = await list({});
  const [second, first] = data;
  expect(data).toMatchObject([{ closedAt: null }, { closedAt: expect.any(String) }]);
  expect(sent).toEqual([
    { id: first.id, event: "notice.opened", lastStatusCode: 500 },
    { id: first.id, event: "notice.closed", lastStatusCode: 500 },
    { id: second.id, event: "notice.opened", lastStatusCode: 503 },
  ]);
});

test("notices are listed by the time of opening, the newest first, in pages", async () => {
  await attempt(410);
  await attempt(500, 500, 500, 500);
  await attempt(200);
  await attempt(410);
  const kinds = ({ data }: { data: { kind: string; closedAt: string | null }[] }) =>
    data.map(({ kind, closedAt }) => [kind, closedAt === null]);
  const all = await list({});
  expect(kinds(all)).toEqual([
    ["endpoint_gone", true],
    ["endpoint_failing", false],
    ["endpoint_gone", false],
  ]);
  const page = await list({ limit: "2" });
  const rest = await list({ limit: "2", cursor: page.page.nextCursor });
  expect([...page.data, ...rest.data]).toEqual(all.data);
  expect(rest.page.nextCursor).toBeNull();
  expect(kinds(await list({ open: "false" }))).toEqual(kinds(all).slice(1));
});

test("acknowledging a closed notice is 200 and changes nothing", async () => {
  await attempt(410);
  await attempt(200);
  const [notice] = (await list({})).data;
  expect(notice).toMatchObject({ kind: "endpoint_gone", closedAt: expect.any(String) });
  const { status, body } = await tenant.owner().post(`/v1/notices/${notice.id}/acknowledge`);
  expect([status, body.data]).toEqual([200, { ...notice, acknowledgedAt: null, acknowledgedBy: null }]);
});
