// A shop requests every operation of the API once, through the gateway. With RECORD_EXAMPLES=true the responses become the
// examples of the API description (CONTRIBUTING.md).
import { readFileSync, writeFileSync } from "node:fs";
import { SERVICES, type ServiceName } from "@tradepost/devstack";
import { apiClient, bearer } from "@tradepost/testing";
import { describedOperations, requestFaults, responseFaults } from "../support/api-description.ts";
import type { Checks } from "../support/examples/check-operation.ts";
import { contentStory } from "../support/examples/content-story.ts";
import { keysStory, signInStory, staffStory } from "../support/examples/identity-story.ts";
import { ordersStory } from "../support/examples/orders-story.ts";
import { type RecordedExample, recordCalls } from "../support/examples/recorder.ts";
import { stableExamples } from "../support/examples/stable-examples.ts";
import { webhooksStory } from "../support/examples/webhooks-story.ts";
import { opsJsonOn } from "../support/run-ops.ts";
import { startTestPlatform } from "../support/test-platform.ts";

const FILE = new URL("../../docs/openapi-examples.json", import.meta.url);

// The response is the description itself.
const WITHOUT_EXAMPLE = ["getApiDescription"];

const platform = await startTestPlatform({ WEBHOOKS_RETRY_SCHEDULE: "50ms,50ms" });
const MORE_EVENTS: Partial<Record<ServiceName, string[]>> = { gateway: ["audit_log"], webhooks: ["events"] };
const startedAt = Date.now();
const checks: Checks = {
  strangerToken: (await platform.createTenant()).ownerToken,
  effective,
  faults: [],
  covered: {},
};
const { as, called, examples: received } = recordCalls(platform.url, checks);
const { ownerToken, apiKey } = await signInStory(as, await openShop());
const client = apiClient(platform.url, bearer(apiKey));
const callers = { as, owner: as(ownerToken), key: as(apiKey), client };
await ordersStory(callers);
await keysStory(callers);
await staffStory(callers);
await contentStory(callers);
await webhooksStory(callers, await platform.startReceiver());
for (const id of WITHOUT_EXAMPLE) received.delete(id);
const recorded = stableExamples(received, startedAt);
if (process.env.RECORD_EXAMPLES === "true") writeFileSync(FILE, asLines(recorded));

/** Returns JSON with a line for each operation. */
function asLines(examples: Record<string, RecordedExample>): string {
  const lines = Object.entries(examples).map(
    ([id, example]) => `  ${JSON.stringify(id)}: ${JSON.stringify(example)}`,
  );
  return `{\n${lines.join(",\n")}\n}\n`;
}

afterAll(() => platform.stop());

test("the story requests every operation", () => {
  const missing = describedOperations.filter(({ operationId }) => !called.has(operationId));
  expect(missing.map(({ operationId }) => operationId)).toEqual([]);
});

test("each operation keeps tenants apart, and honours If-Match, If-None-Match and Idempotency-Key", () => {
  expect(checks.faults).toEqual([]);
  const counts = Object.entries(checks.covered).map(([check, { length }]) => [check, length]);
  // previewFilter, acknowledgeNotice, reportResult and setUpSecondFactor write no events.
  expect(Object.fromEntries(counts)).toEqual({
    "another tenant's id": 65,
    "If-Match": 26,
    "If-None-Match": 8,
    "Idempotency-Key": 36,
    "events of one of several at once": 32,
  });
});

describe("the examples in the repository", () => {
  const examples: Record<string, RecordedExample> = JSON.parse(readFileSync(FILE, "utf8"));

  test("are those of the operations with JSON, each with the fields that the story receives", () => {
    expect(Object.keys(examples)).toEqual(Object.keys(recorded));
    for (const [id, example] of Object.entries(recorded)) {
      expect([id, shapeOf(examples[id])]).toEqual([id, shapeOf(example)]);
    }
  });

  test("are valid", () => {
    for (const operation of describedOperations.filter(({ operationId }) => operationId in examples)) {
      const { operationId: id } = operation;
      const { request, status, response } = examples[id] as RecordedExample;
      if (request !== undefined) expect([id, requestFaults(operation, request)]).toEqual([id, []]);
      expect([id, responseFaults(operation, status, response)]).toEqual([id, []]);
    }
  });
});

test("the key of a field is no secret, and is shown", () => {
  expect(recorded.putContentType?.request).toMatchObject({
    fields: [{ key: "title" }, { key: "body" }, { key: "picture" }],
  });
  expect(recorded.createApiKey?.response).toMatchObject({
    data: { key: expect.stringMatching(/^sk_live_EXAMPLEKEYID_x+$/) },
  });
});

/** Returns only the names of the fields, because values differ from run to run. */
function shapeOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.slice(0, 1).map(shapeOf);
  if (typeof value !== "object" || value === null) return "a value";
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, shapeOf(inner)]));
}

/** See `Checks`. */
async function effective(requestIds: readonly string[]): Promise<string[]> {
  const found = await Promise.all(
    SERVICES.flatMap((service) =>
      ["outbox", "published_events", ...(MORE_EVENTS[service] ?? [])].map((table) =>
        platform.pools[service].query(
          `select distinct request_id as id from ${table} where request_id = any($1)`,
          [requestIds],
        ),
      ),
    ),
  );
  return [...new Set(found.flatMap(({ rows }) => rows.map(({ id }) => id as string)))];
}

/** Creates the tenant of the examples, as an operator does. */
async function openShop() {
  const words = "tenant create --slug harbour-goods --owner-email owner@harbour-goods.example --name";
  const { tenantId, owner } = await opsJsonOn(platform)(words, ["Harbour Goods"]);
  await platform.pools.gateway.query(
    `insert into identities (tenant_id, user_id, issuer, subject, email)
     values ($1, $2, 'https://accounts.google.com', '1180', 'kim@harbour-goods.example')`,
    [tenantId, owner.id],
  );
  return { ownerEmail: owner.email, ownerPassword: owner.password };
}
