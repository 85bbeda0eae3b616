// Checks an operation against interface §1 and §4: another tenant's id is 404, a stale If-Match is 412, a known ETag is 304, and a
// POST takes effect once although it is repeated under its Idempotency-Key, also at the same time.
import { randomUUID } from "node:crypto";
import type { DescribedOperation } from "../api-description.ts";

export interface Sent {
  /** The credential; missing for an operation without authentication. */
  readonly token?: string;
  /** The path parameters. */
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
  /** The body, sent as JSON. */
  readonly body?: unknown;
  /** The body, sent as a form, which is not recorded. */
  readonly form?: FormData;
}

const USER_AGENT = "harbour-goods/1.4";
/** The secrets, which a repeated response shows as null. */
const SECRETS: Readonly<Record<string, string>> = {
  createApiKey: "key",
  rotateApiKey: "key",
  createUser: "setup.token",
  createSetupLink: "token",
  setUpSecondFactor: "secret,uri",
  confirmSecondFactor: "recoveryCodes",
  createSubscription: "signingSecret",
  rotateSubscriptionSecret: "signingSecret",
  createListener: "signingSecret",
};
/** They respond before their work is done. The record gets the final response. */
const ENDS_LATER = ["eraseCustomer", "recoverDeliveries", "startReplay"];
/** They hash a password or code. A tenant has one hash in progress. */
const ONE_AT_A_TIME = ["changeMyPassword", "setUpSecondFactor", "confirmSecondFactor"];
const TWINS = 3;

export async function send(url: string, operation: DescribedOperation, sent: Sent) {
  const response = await fetch(addressOf(url, operation.path, sent), {
    method: operation.method,
    headers: {
      "user-agent": USER_AGENT,
      ...(sent.token !== undefined && { authorization: `Bearer ${sent.token}` }),
      ...(sent.body !== undefined && { "content-type": "application/json" }),
      ...sent.headers,
    },
    ...(sent.body !== undefined && { body: JSON.stringify(sent.body) }),
    ...(sent.form !== undefined && { body: sent.form }),
    redirect: "manual",
  });
  const text = await response.text();
  const isJson = response.headers.get("content-type")?.startsWith("application/json") ?? false;
  return {
    ...{ status: response.status, headers: response.headers, text },
    body: isJson && text !== "" ? JSON.parse(text) : undefined,
  };
}

type Answer = Awaited<ReturnType<typeof send>>;

export interface Checks {
  readonly strangerToken: string;
  /** Returns the ids of the requests that wrote an event or an audit entry. */
  readonly effective: (requestIds: readonly string[]) => Promise<string[]>;
  readonly faults: string[];
  /** The operations that each check covered. */
  readonly covered: Record<string, string[]>;
}

/** Sends the request, and other requests before and after it. Returns the response. */
export async function checkOperation(
  url: string,
  operation: DescribedOperation,
  sent: Sent,
  { strangerToken, effective, faults, covered }: Checks,
): Promise<Answer> {
  const { operationId: id, method, path } = operation;
  const statuses = Object.keys(operation.responses);
  const hasIdempotencyKey = operation.parameters.some(({ name }) => name === "Idempotency-Key");
  const hasId = sent.token !== undefined && path.includes("{");
  const again = (changed: Sent) =>
    send(url, operation, { ...sent, ...changed, headers: { ...sent.headers, ...changed.headers } });
  const expectSame = (what: string, found: unknown, expected: unknown) => {
    const [one, other] = [JSON.stringify(found), JSON.stringify(expected)];
    if (one !== other) faults.push(`${id}: ${what}: ${one}, not ${other}`);
  };
  const covers = (check: string) => {
    covered[check] ??= [];
    covered[check].push(id);
  };
  const refusal = ({ status, body }: Answer) => [status, body?.error?.code, body?.error?.message];

  const keepsTenantsApart = async () => {
    covers("another tenant's id");
    const strangers = refusal(await again({ token: strangerToken }));
    const refusalFor = (params: Record<string, string>) => again({ params }).then(refusal);
    expectSame("another tenant's", strangers[0], 404);
    expectSame("an unknown id", await refusalFor(replaced(sent.params, randomUUID)), strangers);
    const malformed = await refusalFor(replaced(sent.params, () => "unknown"));
    expectSame("a malformed id", malformed.slice(0, 2), strangers.slice(0, 2));
    if (!statuses.includes("412")) return;
    const stale = await again({ token: strangerToken, headers: { "if-match": '"0"' } });
    expectSame("another tenant's version", refusal(stale), strangers);
  };
  /** Returns the ETag that a refusal names. */
  const refusesOtherVersions = async () => {
    covers("If-Match");
    expectSame("a weak ETag", (await again({ headers: { "if-match": 'W/"1"' } })).status, 422);
    const stale = { headers: { "if-match": '"0"' } };
    const refused = await again(stale);
    expectSame("another version", refusal(refused).slice(0, 2), [412, "version_mismatch"]);
    if (method === "PATCH")
      expectSame("another version, unchanged", (await again({ ...stale, body: {} })).status, 412);
    return refused.headers.get("etag");
  };
  const repeats = async (headers: Record<string, string>) => {
    covers("Idempotency-Key");
    const count = ONE_AT_A_TIME.includes(id) ? 1 : TWINS;
    const ids = Array.from({ length: count }, () => randomUUID());
    const twins = await Promise.all(
      ids.map((one) => again({ headers: { ...headers, "x-request-id": one } })),
    );
    const isReplay = ({ headers }: Answer) => headers.get("idempotent-replayed") === "true";
    const first = twins.find((twin) => !isReplay(twin)) as Answer;
    const replays = [...twins.filter((twin) => twin !== first), await again({ headers })];
    expectSame("replays", replays.map(isReplay), Array(count).fill(true));
    for (const replay of replays) {
      expectSame("the repeated status", replay.status, first.status);
      for (const name of ["location", "etag"])
        expectSame(name, replay.headers.get(name), first.headers.get(name));
      const shown = ENDS_LATER.includes(id) ? first.body.data.id : withoutSecrets(first.body, SECRETS[id]);
      expectSame("the repeated response", ENDS_LATER.includes(id) ? replay.body.data.id : replay.body, shown);
    }
    const took = await effective(ids);
    if (took.length > 0) covers("events of one of several at once");
    expectSame(
      "took effect",
      took.filter((one) => one !== first.headers.get("x-request-id")),
      [],
    );
    const others = hasId ? { params: replaced(sent.params, randomUUID) } : { token: strangerToken };
    const { status, body, headers: elsewhere } = await again({ ...others, headers });
    expectSame("another tenant's key", elsewhere.get("idempotent-replayed"), null);
    const isReused = status === 422 && body.error.code === "idempotency_key_reused";
    expectSame("the key of another request", isReused, hasId);
    return first;
  };

  if (hasId && method !== "PUT" && statuses.includes("404")) await keepsTenantsApart();
  const hasVersion = statuses.includes("412");
  // A PUT may create what has no version yet.
  const etag = hasVersion && method !== "PUT" ? await refusesOtherVersions() : null;
  const headers: Record<string, string> = etag === null ? {} : { "if-match": `"0", ${etag}` };
  const isRepeatable = sent.token !== undefined && hasIdempotencyKey;
  const response = isRepeatable
    ? await repeats({ "idempotency-key": randomUUID(), ...sent.headers, ...headers })
    : await again({ headers });
  if (hasVersion && method === "PUT") await refusesOtherVersions();
  if (hasVersion && response.body?.data?.version !== undefined)
    expectSame("its ETag", response.headers.get("etag"), `"${response.body.data.version}"`);
  if (statuses.includes("304")) {
    covers("If-None-Match");
    const unchanged = await again({ headers: { "if-none-match": response.headers.get("etag") ?? "" } });
    expectSame("a known ETag", [unchanged.status, unchanged.text], [304, ""]);
  }
  return response;
}

function addressOf(url: string, path: string, { params = {}, query = {} }: Sent): URL {
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? ""));
  const address = new URL(filled, url);
  for (const [name, value] of Object.entries(query)) address.searchParams.set(name, value);
  return address;
}

/** Replaces the ids and slugs, but no number of a revision. */
function replaced(params: Sent["params"] = {}, by: () => string): Record<string, string> {
  return Object.fromEntries(
    Object.entries(params).map(([name, value]) => [name, /^\d+$/.test(value) ? value : by()]),
  );
}

function withoutSecrets<Body extends { data: Record<string, unknown> }>(body: Body, names = ""): Body {
  const copy = structuredClone(body);
  for (const name of names.split(",").filter(Boolean)) {
    const [first = "", second] = name.split(".");
    if (second === undefined) copy.data[first] = null;
    else (copy.data[first] as Record<string, unknown>)[second] = null;
  }
  return copy;
}
