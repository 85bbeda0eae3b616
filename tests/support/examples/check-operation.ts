// What interface §1 and §4 promise for every operation: an id of another tenant looks like one that does not exist, a stale
// If-Match is 412, a known ETag is 304, and a POST that is repeated under its Idempotency-Key takes effect once.
import { randomUUID } from "node:crypto";
import type { DescribedOperation } from "./described-operations.ts";

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

/** Sends the request, and others before and after it. Returns the response; adds what was wrong to `faults`. */
export async function checkOperation(
  url: string,
  operation: DescribedOperation,
  sent: Sent,
  { strangerToken, faults }: { strangerToken: string; faults: string[] },
) {
  const { id, method, path, statuses, hasIdempotencyKey } = operation;
  const again = (changed: Sent) => send(url, operation, { ...sent, ...changed });
  const expectSame = (what: string, found: unknown, expected: unknown) => {
    const [one, other] = [JSON.stringify(found), JSON.stringify(expected)];
    if (one !== other) faults.push(`${id}: ${what}: ${one}, not ${other}`);
  };
  const with_ = (headers: Record<string, string>) => ({ headers: { ...sent.headers, ...headers } });

  if (sent.token !== undefined && path.includes("{") && method !== "PUT" && statuses.includes("404")) {
    const refusal = ({ status, body }: Awaited<ReturnType<typeof again>>) => [
      ...[status, body?.error?.code, body?.error?.message],
    ];
    const strangers = refusal(await again({ token: strangerToken }));
    const refusalFor = (params: Record<string, string>) => again({ params }).then(refusal);
    expectSame("another tenant's", strangers[0], 404);
    expectSame("an unknown id", await refusalFor(replaced(sent.params, randomUUID)), strangers);
    const malformed = await refusalFor(replaced(sent.params, () => "unknown"));
    expectSame("a malformed id", malformed.slice(0, 2), strangers.slice(0, 2));
  }
  if (statuses.includes("412")) {
    expectSame("a weak ETag", (await again(with_({ "if-match": 'W/"1"' }))).status, 422);
    const stale = await again(with_({ "if-match": '"0"' }));
    const isCreated = method === "PUT" && stale.status === 404;
    if (!isCreated)
      expectSame("another version", [stale.status, stale.body?.error?.code], [412, "version_mismatch"]);
  }
  const key: Pick<Sent, "headers"> =
    sent.token !== undefined && hasIdempotencyKey
      ? with_({ "idempotency-key": randomUUID(), ...sent.headers })
      : {};
  const response = await again(key);
  const etag = response.headers.get("etag");
  if (statuses.includes("304")) {
    const unchanged = await again(with_({ "if-none-match": etag ?? "" }));
    expectSame("a known ETag", [unchanged.status, unchanged.text], [304, ""]);
  }
  if (key.headers !== undefined) {
    const replay = await again(key);
    expectSame("the repeated status", replay.status, response.status);
    expectSame("Idempotent-Replayed", replay.headers.get("idempotent-replayed"), "true");
    for (const name of ["location", "etag"])
      expectSame(name, replay.headers.get(name), response.headers.get(name));
    const shown = (body: { data: Record<string, unknown> }) =>
      ENDS_LATER.includes(id) ? body.data.id : withoutSecrets(body, SECRETS[id]);
    expectSame("the repeated response", shown(replay.body), shown(response.body));
    if (!ENDS_LATER.includes(id)) expectSame("its secrets", replay.body, shown(response.body));
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
