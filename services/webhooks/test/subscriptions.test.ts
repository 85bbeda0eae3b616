import { describe, expect, test } from "@jest/globals";
import { useWebhooks } from "./support/use-webhooks.ts";

const PATH = "/v1/webhooks/subscriptions";
const VALID = { name: "Search index", url: "https://hooks.example.com/in?x=1", events: ["redirect.added"] };

describe("subscriptions", () => {
  // As in production: only the public internet can be reached.
  const { webhooks, tenant } = useWebhooks({ WEBHOOKS_EGRESS_ALLOW: "" });

  const create = async (overrides: Record<string, unknown> = {}) =>
    await tenant.owner().post(PATH, { ...VALID, ...overrides });

  test("show their secret in the response to their creation only", async () => {
    const { status, headers, body } = await create();
    expect(status).toBe(201);
    expect(headers.get("location")).toBe(`${PATH}/${body.data.id}`);
    expect(headers.get("cache-control")).toBe("no-store");
    const { signingSecret, ...shown } = body.data;
    expect(signingSecret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(shown).toEqual({
      ...VALID,
      id: expect.any(String),
      active: true,
      headers: {},
      version: 1,
      previousSecretUntil: null,
      health: {
        status: "healthy",
        consecutiveFailures: 0,
        lastSuccessAt: null,
        lastFailureAt: null,
        lastError: null,
        ...{ downSince: null, heldUntil: null, waiting: 0 },
      },
      ...{ filter: null, maxPerSecond: null, maxInFlight: null, payloadVersion: 1 },
      createdAt: expect.any(String),
    });
    const preview = { ...shown, signingSecretPreview: signingSecret.slice(0, 8) };
    expect((await tenant.owner().get(`${PATH}/${body.data.id}`)).body.data).toEqual(preview);
    expect((await tenant.owner().get(PATH)).body.data).toEqual([preview]);
    const changed = await tenant.owner().patch(`${PATH}/${body.data.id}`, { name: "New" });
    expect(changed.body.data).toEqual({ ...preview, name: "New", version: 2 });
  });

  test("do not store their secret in the database as text", async () => {
    const { body } = await create();
    const secret: string = body.data.signingSecret;
    const bytes = Buffer.from(secret.slice("whsec_".length), "base64");
    const dump = await webhooks.dump();
    // The dump contains the subscription, so it would contain the secret.
    expect(dump).toContain(body.data.id);
    for (const plain of [
      secret,
      secret.slice(6),
      bytes.toString("hex"),
      Buffer.from(secret).toString("hex"),
    ]) {
      expect(dump).not.toContain(plain);
    }
  });

  test("are limited to 50 for each tenant, also if they are created at the same time", async () => {
    const responses = await Promise.all(Array.from({ length: 55 }, () => create()));
    const statuses = Map.groupBy(responses, ({ status }) => status);
    expect([statuses.get(201)?.length, statuses.get(409)?.length]).toEqual([50, 5]);
    expect(statuses.get(409)?.[0]?.body.error.code).toBe("subscription_limit");
    expect((await webhooks.tenant().owner().post(PATH, VALID)).status).toBe(201);
    await tenant.unsubscribe(statuses.get(201)?.[0]?.body.data.id);
    expect((await create()).status).toBe(201);
  });

  test("are listed newest first, page by page", async () => {
    const created: string[] = [];
    for (let count = 0; count < 5; count += 1) created.unshift((await create()).body.data.id);
    const seen: string[] = [];
    for (let cursor: string | null = ""; cursor !== null; ) {
      const query: string = cursor === "" ? "" : `&cursor=${cursor}`;
      const { body } = await tenant.owner().get(`${PATH}?limit=2${query}`);
      seen.push(...body.data.map(({ id }: { id: string }) => id));
      cursor = body.page.nextCursor;
    }
    expect(seen).toEqual(created);
  });
});
