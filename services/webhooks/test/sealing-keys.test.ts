// The keys that seal signing secrets and headers: several at a time, replaced while replicas send and tenants rotate their secrets,
// and checked at the start.
import { createSecretKey, randomBytes, randomUUID } from "node:crypto";
import { StartError } from "@tradepost/runtime";
import { checkSealingKeys } from "../src/endpoint/check-sealing-keys.ts";
import { SealingError } from "../src/endpoint/seal.ts";
import { createSealing } from "../src/endpoint/sealing.ts";
import { readSealingKeys, resealAll } from "../src/operate.ts";
import { useSharedWebhooks } from "./support/use-webhooks.ts";
import { isSigned } from "./support/webhooks.ts";

const PATH = "/v1/webhooks/subscriptions";
const TOKEN = "Bearer token-of-the-receiver";
const [A, B, C] = [newKey(), newKey(), newKey()];

/** WEBHOOKS_SEALING_KEY is A until a test sets the list. */
const keys = (list: string, single = "") => ({ WEBHOOKS_SEALING_KEYS: list, WEBHOOKS_SEALING_KEY: single });

const { webhooks, receiver, tenant } = useSharedWebhooks(keys("", A));

const create = (name: string, headers: Record<string, string>, key?: string, of = tenant.owner()) => {
  const body = { name, url: `${receiver.url}/${name}`, events: ["redirect.added"], headers };
  return of.post(PATH, body, key === undefined ? {} : { "idempotency-key": key });
};
const subscribe = async (name: string, headers: Record<string, string> = {}, idempotencyKey?: string) => {
  const response = await create(name, headers, idempotencyKey);
  expect([response.status, response.body.error]).toEqual([201, undefined]);
  return response.body.data as { id: string; signingSecret: string; version: number };
};
const rotate = async (id: string) => {
  const { status, body } = await tenant.act(id, "rotate-secret", { force: true });
  expect(status).toBe(200);
  return body.data.signingSecret as string;
};
const versionOf = async (id: string) => (await tenant.subscription(id)).version;
const reseal = (list: string, single = "") =>
  resealAll(webhooks.db, readSealingKeys({ ...keys(list, single) }));
/** The requests to each receiver with the next event, by its name. */
const receivedByAll = async (names: string[]) => {
  const id = await tenant.emit();
  return await Promise.all(
    names.map((name) =>
      receiver.waitFor(
        `the event at ${name}`,
        ({ path, headers }) => path === `/${name}` && headers["x-service-event-id"] === id,
      ),
    ),
  );
};
/** The error of a start with these keys; null if the service would start. */
const startError = async (settings: Record<string, string>) => {
  const check = checkSealingKeys(webhooks.db, readSealingKeys(settings));
  return await check.then(
    () => null,
    (error: unknown) => {
      expect(error).toBeInstanceOf(StartError);
      return (error as StartError).message;
    },
  );
};

test("are replaced while replicas send and secrets are rotated, without a change of versions", async () => {
  const plain = await subscribe("plain");
  const withHeaders = await subscribe("headers", { Authorization: TOKEN });
  const rotated = await subscribe("rotated");
  const rotatedOnce = await rotate(rotated.id);
  await tenant.owner().put("/v1/notices/destination", { url: `${receiver.url}/notices` });
  const retried = randomUUID();
  await subscribe("retried", { Authorization: TOKEN }, retried);

  // Every replica accepts the new key before any replica seals with it. At this step, key A gets its id.
  await webhooks.restart(keys(`a:${A},b:${B}`));
  await subscribe("named", { Authorization: TOKEN });
  // A replica that has not got its new settings.
  const older = await webhooks.startReplica(keys("", A));
  await receivedByAll(["plain", "headers", "rotated", "retried", "named"]);
  await older.stop();

  await webhooks.restart(keys(`b:${B},a:${A}`));
  const replica = await webhooks.startReplica(keys(`b:${B},a:${A}`));
  const busy = await Promise.all(
    Array.from({ length: 6 }, async (_, n) => await subscribe(`busy-${n}`, { Authorization: TOKEN })),
  );
  // A replica of the step before seals some secrets.
  const older2 = await webhooks.startReplica(keys(`a:${A},b:${B}`));
  const byOlder = tenant.owner(older2.url);
  for (const { id } of busy) await byOlder.post(`${PATH}/${id}/rotate-secret`, {});
  await older2.stop();

  const last = new Map<string, string>();
  const changing = Promise.all(
    busy.map(async ({ id }) => {
      for (let turn = 0; turn < 3; turn += 1) last.set(id, await rotate(id));
      await tenant.change(id, { headers: { Authorization: "•••", "X-Turn": "3" } });
    }),
  );
  const [first, second] = await Promise.all([
    reseal(`b:${B},a:${A}`),
    reseal(`b:${B},a:${A}`),
    changing,
    receivedByAll(["plain", "headers", "rotated"]),
  ]);
  expect(first.resealed + second.resealed).toBeGreaterThanOrEqual(8);
  expect([first.unopened, second.unopened]).toEqual([[], []]);
  const rows = await webhooks.query(`
    select * from (select unnest(array[secret_sealed, previous_secret_sealed, headers_sealed]) from subscriptions
                   union all select secret_sealed from notice_destinations) as stored (sealed)
     where substring(sealed from 1 for 6) <> 'key:b:'`);
  expect(rows).toEqual([]);
  expect(await reseal(`b:${B},a:${A}`)).toEqual({ resealed: 0, unopened: [] });
  expect(await Promise.all([plain, withHeaders].map(({ id }) => versionOf(id)))).toEqual([1, 1]);

  // A request that is repeated after the first key has changed still counts as the same request.
  const repeated = await create("retried", { Authorization: TOKEN }, retried);
  expect([repeated.status, repeated.headers.get("idempotent-replayed")]).toEqual([201, "true"]);

  await replica.stop();
  await webhooks.restart(keys(`b:${B}`));
  const names = busy.map((_, n) => `busy-${n}`);
  const requests = await receivedByAll(["plain", "headers", "rotated", ...names]);
  const [toPlain, toHeaders, toRotated, ...toBusy] = requests;
  expect(isSigned(toPlain, plain.signingSecret)).toBe(true);
  expect(isSigned(toHeaders, withHeaders.signingSecret)).toBe(true);
  expect(toHeaders?.headers.authorization).toBe(TOKEN);
  expect(isSigned(toRotated, rotatedOnce)).toBe(true);
  expect(isSigned(toRotated, rotated.signingSecret, "x-service-signature-previous")).toBe(true);
  for (const [n, request] of toBusy.entries()) {
    expect(isSigned(request, last.get(busy[n]?.id ?? "") ?? "")).toBe(true);
    expect(request.headers).toMatchObject({ authorization: TOKEN, "x-turn": "3" });
  }
});

test("are refused if an id is in the list twice", () => {
  expect(() => readSealingKeys(keys(`a:${A},b:${B},a:${C}`))).toThrow(
    /WEBHOOKS_SEALING_KEYS must not have an id twice/,
  );
});

test("that open nothing stop the start with one sentence, which names the key", async () => {
  await subscribe("checked", { Authorization: TOKEN });
  expect(await startError(keys(`a:${A}`))).toMatch(
    /^Signing secrets in the database were sealed with the key b, and no key of .*: put that key back\./,
  );
  expect(await startError(keys(`b:${C}`))).toContain("the key b,");
  expect(await startError(keys("", C))).toContain("the key b,");
  // The id is a hint only.
  expect(await startError(keys(`other:${B}`))).toBeNull();
  expect(await startError(keys("", B))).toBeNull();
  // The previous key is removed too early, after replicas have sealed with it.
  const before = await webhooks.startReplica(keys(`c:${C},b:${B}`));
  await create("early", {}, undefined, tenant.owner(before.url));
  await before.stop();
  expect(await startError(keys(`b:${B}`))).toContain("the key c,");
  expect(await reseal(`b:${B},c:${C}`)).toEqual({ resealed: 1, unopened: [] });
  expect(await startError(keys(`b:${B}`))).toBeNull();
});

test("that are lost leave secrets that the command names, and tenants replace them", async () => {
  const { id } = await subscribe("lost", { Authorization: TOKEN });
  const command = await reseal(`c:${C}`);
  expect(command.resealed).toBe(0);
  expect(command.unopened.filter(({ subscriptionId }) => subscriptionId === id)).toEqual([
    { tenantId: tenant.tenantId, subscriptionId: id, value: "signing secret", keyId: "b" },
    { tenantId: tenant.tenantId, subscriptionId: id, value: "headers", keyId: "b" },
  ]);
  await webhooks.restart({ ...keys(`c:${C}`), WEBHOOKS_SEALING_KEY_LOST: "true" });
  const secret = await rotate(id);
  const kept = await tenant.change(id, { headers: { Authorization: "•••" } });
  expect([kept.status, kept.body.error?.details]).toEqual([
    422,
    [{ path: "headers.Authorization", message: "has no value that could be kept" }],
  ]);
  const set = await tenant.change(id, { headers: { Authorization: "Bearer 2" } });
  expect(set.status).toBe(200);
  const [request] = await receivedByAll(["lost"]);
  expect(isSigned(request, secret)).toBe(true);
  expect(request?.headers.authorization).toBe("Bearer 2");
});

test("sealed headers open with their key, for their subscription and as headers only", () => {
  const newSealing = () => createSealing([{ id: null, key: createSecretKey(newKey(), "base64") }]);
  const [key, other] = [newSealing(), newSealing()];
  const headers = [{ name: "__proto__", value: TOKEN }];
  const sealed = key.sealHeaders(headers, "tenant", "one");
  expect(key.openHeaders(sealed, "tenant", "one")).toEqual(headers);
  expect(key.sealHeaders([], "tenant", "one")).toBeNull();
  expect(key.openHeaders(null, "tenant", "one")).toEqual([]);
  for (const open of [
    () => other.openHeaders(sealed, "tenant", "one"),
    () => key.openHeaders(sealed, "tenant", "two"),
    () => key.openHeaders(key.newSecret("tenant", "one").sealed, "tenant", "one"),
    () => key.openSecret(sealed ?? Buffer.alloc(0), "tenant", "one"),
  ]) {
    expect(open).toThrow(SealingError);
  }
});

function newKey(): string {
  return randomBytes(32).toString("base64");
}
