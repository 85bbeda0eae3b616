import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import type { ApiClient, ClientResponse } from "./api-client.ts";
import { until } from "./until.ts";

export interface KeyedPost {
  readonly path: string;
  readonly body?: object;
  /** Missing if the route accepts only one body. A path with an id is always tried with another id too. */
  readonly otherBody?: object;
  /** By default, the refused request has an unknown id instead. */
  readonly refusedBody?: object;
  readonly headers?: Record<string, string>;
  /** Members of `data` that only the first response contains, such as `setup.token`. */
  readonly secrets?: readonly string[];
  /** The idempotency record gets its final response after the commit: a concurrent request may get the earlier one. */
  readonly isCompletedLater?: true;
  /** The service responds with 429 while another request of the tenant is in progress. */
  readonly isOneAtATime?: true;
  /** By how much the counts rise; other counts must not change. */
  readonly writes: Readonly<Record<string, number>>;
  /** The events that the response names for the log of requests; by default all that are written. */
  readonly caused?: number;
}

interface KeyedTenant {
  readonly client: ApiClient;
  readonly stranger: ApiClient;
  /** Of the tenant's rows. `records` are its idempotency records. */
  counts(): Promise<Record<string, number>>;
}

const TWINS = 3;
const HEADERS = ["location", "etag", "content-type", "cache-control"];
const UUID = /[0-9a-f]{8}-[0-9a-f-]{27}/;

/**
 * Interface §4: the request is sent three times at once and then again, takes effect once, and always gets the same response.
 * Requests with an invalid key, a refused request before it, and a different request or another tenant with the same key write
 * nothing.
 */
export async function checkKeyedPost(
  post: KeyedPost,
  { client, stranger, counts }: KeyedTenant,
): Promise<void> {
  const { path, body, headers = {}, refusedBody, otherBody } = post;
  const key = randomUUID();
  const send = (request: { path?: string; body?: object | undefined; key?: string } = {}, as = client) =>
    as.post(request.path ?? path, "body" in request ? request.body : body, {
      ...headers,
      "idempotency-key": request.key ?? key,
    });
  const untouched = await counts();

  const invalid = await send({ key: "a b", body: body && { ...body, surprise: 1 } });
  const faults = (invalid.body.error?.details ?? []).map(({ path }: { path: string }) => path).sort();
  assert.deepEqual([invalid.status, ...faults], [422, "Idempotency-Key", ...(body ? ["surprise"] : [])]);
  assert.deepEqual(await counts(), untouched, "an invalid key writes nothing");
  const elsewhere = UUID.test(path) ? path.replace(UUID, randomUUID()) : undefined;
  assert.ok(refusedBody ?? elsewhere, "name a body that is refused");
  const refused = await send(refusedBody ? { body: refusedBody } : { path: String(elsewhere) });
  assert.match(String(refused.status), /^4/, `the refused request got ${refused.status} ${refused.text}`);
  const before = await counts();
  assert.equal(before.records, untouched.records, "a failure is not stored");

  const twinCount = post.isOneAtATime ? 1 : TWINS;
  const twins = await Promise.all(Array.from({ length: twinCount }, () => send()));
  const [first, ...others] = twins.toSorted((a, b) => Number(isReplay(a)) - Number(isReplay(b)));
  assert.ok(first);
  assert.deepEqual(
    twins.map(({ status }) => status),
    Array(twinCount).fill(first.status),
    twins.map(({ text }) => text).join("\n"),
  );
  assert.ok(first.status < 300, `${first.status} ${first.text}`);
  assert.deepEqual([first, ...others].map(isReplay), [false, ...Array(twinCount - 1).fill(true)]);
  const rises = async () => Object.keys(risesOf(before, await counts())).length;
  const writes = Object.keys(post.writes).length;
  if (post.isCompletedLater) await until("all that it writes", async () => (await rises()) > writes);
  const after = await counts();
  assert.deepEqual(risesOf(before, after), { ...post.writes, records: 1 });
  assert.equal(causedBy(first).length, post.caused ?? post.writes.events ?? 0);

  for (const twin of post.isCompletedLater ? [] : others) assertReplay(twin, first, post);
  assertReplay(await send(), first, post);
  const reused = [
    ...(otherBody ? [await send({ body: otherBody })] : []),
    ...(elsewhere ? [await send({ path: elsewhere })] : []),
  ];
  assert.ok(reused.length > 0, "name another body");
  for (const { status, body } of reused) {
    assert.deepEqual([status, body.error?.code], [422, "idempotency_key_reused"]);
  }
  const strangers = await send({}, stranger);
  assert.ok(
    !isReplay(strangers) && strangers.body.error?.code !== "idempotency_key_reused",
    "another tenant's key",
  );
  assert.deepEqual(await counts(), after, "a repeated request writes nothing");
}

function assertReplay(again: ClientResponse, first: ClientResponse, { secrets = [] }: KeyedPost): void {
  assert.ok(isReplay(again));
  assert.deepEqual(causedBy(again), []);
  assert.equal(again.status, first.status);
  if (secrets.length === 0) assert.equal(again.text, first.text);
  else assert.deepEqual(again.body, withoutSecrets(first.body, secrets));
  for (const name of HEADERS) assert.equal(again.headers.get(name), first.headers.get(name), name);
  assert.notEqual(again.headers.get("x-request-id"), first.headers.get("x-request-id"));
}

function causedBy({ headers }: ClientResponse): string[] {
  return headers.get("x-caused-events")?.split(",") ?? [];
}

function withoutSecrets(body: unknown, secrets: readonly string[]): unknown {
  const copy = structuredClone(body) as { data: Record<string, unknown> };
  for (const secret of secrets) {
    const names = secret.split(".");
    const last = names.pop() ?? "";
    const holder = names.reduce((held, name) => held[name] as Record<string, unknown>, copy.data);
    assert.ok(holder[last], `the first response shows ${secret}`);
    holder[last] = null;
  }
  return copy;
}

function risesOf(before: Record<string, number>, after: Record<string, number>): Record<string, number> {
  const rises = Object.entries(after).map(([name, count]) => [name, count - (before[name] ?? 0)] as const);
  return Object.fromEntries(rises.filter(([, rise]) => rise !== 0));
}

function isReplay({ headers }: ClientResponse): boolean {
  return headers.get("idempotent-replayed") === "true";
}
