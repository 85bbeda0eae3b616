// Generates requests of every operation of the API description: valid ones, and ones that are invalid in one or two places.
import { randomUUID } from "node:crypto";
import fc from "fast-check";
import { type DescribedOperation, description, type Parameter } from "../api-description.ts";
import { PNG } from "../upload.ts";
import { brokenBodies, hostileTexts, mutated, mutations, textOf } from "./hostile.ts";
import { arbitraryOf, type Override, type Schema } from "./schema-arbitrary.ts";

/** A request before the ids of earlier responses are inserted (`withIds`). */
export interface FuzzRequest {
  readonly operation: DescribedOperation;
  readonly caller: "owner" | "key" | "stranger" | "nobody";
  readonly path: string;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body: Buffer | null;
}

/** Collections whose ids appear in requests, by the field or parameter that contains the id. */
const KINDS = {
  customerId: "/v1/customers",
  subscriptionId: "/v1/webhooks/subscriptions",
  deliveryId: "/v1/webhooks/deliveries",
  eventId: "/v1/webhooks/events",
  resourceId: "/v1/orders",
  requestId: "/v1/requests",
  actorId: "/v1/users",
  targetId: "/v1/users",
} as const;

// A placeholder for the nth id of a collection among the ids that are known when the request is sent.
const PLACEHOLDER = /~([\w/{}:-]+)~(\d+)~/g;
const idsOf = (collection: string) => fc.nat(9_999).map((n) => `~${collection}~${n}~`);
/** Encodes a text for a path or a query, but for its placeholders. */
const encoded = (text: string) =>
  /^(~[\w/{}:-]+~\d+~,?)+$/.test(text)
    ? text
    : encodeURIComponent(text.slice(0, TEXT_IN_TARGET_MAX).toWellFormed());

/** Replaces every placeholder by an id of its collection, or by a new one if none is known. */
export function withIds(text: string, known: (collection: string) => readonly string[]): string {
  return text.replaceAll(PLACEHOLDER, (_whole, collection: string, n: string) => {
    const ids = known(collection);
    return ids[Number(n) % ids.length] ?? randomUUID();
  });
}

/** Returns the collection of a path: `/v1/orders` for `/v1/orders/{id}/payments`. */
export function collectionOf(path: string): string {
  return path.split("/{", 1)[0] ?? path;
}

/** Generates all kinds of requests of an operation. */
export function requestsOf(operation: DescribedOperation): fc.Arbitrary<FuzzRequest> {
  const override = overrideOf(operation.path);
  const options = { resolve: schemaAt, override };
  const valuesOf = (where: string) =>
    operation.parameters
      .filter((parameter) => parameter.in === where)
      .map((parameter) => ({
        ...parameter,
        values: override(parameter.name, parameter.schema) ?? arbitraryOf(parameter.schema, options),
      }));
  return fc
    .record({
      caller: fc.oneof(
        { arbitrary: fc.constant("owner" as const), weight: 12 },
        { arbitrary: fc.constant("key" as const), weight: 6 },
        { arbitrary: fc.constantFrom("stranger" as const, "nobody" as const), weight: 1 },
      ),
      path: fc.record(
        Object.fromEntries(
          valuesOf("path").map(({ name, values }) => [name, rarely(values.map(String), hostileTexts)]),
        ),
      ),
      query: queries(valuesOf("query")),
      headers: sometimes(
        fc.record(Object.fromEntries(valuesOf("header").map(({ name }) => [name, headerValues(name)])), {
          requiredKeys: [],
        }),
        {},
      ),
      body: bodies(operation.requestBody, (schema) => arbitraryOf(schema, options)),
    })
    .map(({ caller, path, query, headers, body }) => ({
      operation,
      caller,
      path: `${pathWith(operation.path, path)}${query}`,
      headers: { ...headers, ...body?.headers },
      body: body?.body ?? null,
    }));
}

function schemaAt(ref: string): Schema {
  const schema = description.components.schemas[ref.split("/").at(-1) ?? ""];
  if (schema === undefined) throw new Error(`no schema ${ref}`);
  return schema;
}

const times = fc.constantFrom(
  "2026-01-01T00:00:00Z",
  "2026-06-01T12:00:00.123+02:00",
  "2020-01-01T00:00:00Z",
  "2049-01-01T00:00:00Z",
);

const NEXT_YEAR = `${new Date().getUTCFullYear() + 1}-01-01T00:00:00.000Z`;

// Deliveries reach nobody, because no machine that runs the tests accepts connections on port 9.
const urls = fc.webPath().map((path) => `https://127.0.0.1:9${path}`.slice(0, 200));

/**
 * Chooses ids of earlier responses, a few names so that requests concern the same resources, and no value that sends data
 * elsewhere or waits for a long time.
 */
function overrideOf(path: string): Override {
  return (name, { enum: values, type }) => {
    if (values !== undefined || type === "object") return null;
    if (name === "waitSeconds") return fc.constant(0);
    if (name === "url") return urls;
    if (name === "id") return rarely(idsOf(collectionOf(path)), fc.uuid());
    if (name === "ids")
      return fc.array(idsOf(collectionOf(path)), { minLength: 1, maxLength: 3 }).map(String);
    if (name in KINDS) return rarely(idsOf(KINDS[name as keyof typeof KINDS]), fc.uuid());
    if (name === "slug" || (name === "type" && !path.startsWith("/v1/webhooks/")))
      return fc.constantFrom("post", "page", "news");
    if (name === "cursor" || name === "after") return rarely(idsOf(`cursor:${path}`), times);
    if (name === "since") return rarely(fc.constant("2026-01-01T00:00:00Z"), times);
    if (name === "from" && path.endsWith("/statistics"))
      return rarely(fc.constant("2026-01-01T00:00:00Z"), times);
    if (name === "to" && path.endsWith("/statistics"))
      return rarely(fc.constant("2026-11-01T00:00:00Z"), times);
    if (name === "day") return rarely(fc.constant("2026-11-24"), times);
    if (name === "hour") return rarely(fc.constant("2026-11-24T09"), times);
    if (name === "until" || /(^b|B)efore$|After$/.test(name)) return times;
    if (name === "expiresAt" || name === "publishAt") return rarely(fc.constant(NEXT_YEAR), times);
    if (name === "email") return fc.nat(999).map((n) => `ada${n}@shop.example`);
    if (name === "currency") return fc.constantFrom("USD", "USD", "EUR", "JPY");
    if (name === "discountTotal") return fc.constantFrom(0, 0, 0.5, 1_000_000);
    if (name === "attempt" || name === "n") return fc.constantFrom(1, 1, 1, 2, 9);
    if (name === "externalId") return fc.nat(path.includes("external") ? 1 : 999).map((n) => `ext-${n}`);
    if (name === "key") return fc.constantFrom("title", "body", "x");
    if (name === "name" && path.startsWith("/v1/modules/")) return fc.constantFrom("crm", "content");
    if (/password/i.test(name)) return rarely(fc.constant("kettle-orbit-4711-finch"), fc.constant("short"));
    return null;
  };
}

// The request line and the headers may have 16 KiB, and a character may take 12 bytes.
const TEXT_IN_TARGET_MAX = 500;

function rarely<Value>(usual: fc.Arbitrary<Value>, rare: fc.Arbitrary<Value>): fc.Arbitrary<Value> {
  return fc.oneof({ arbitrary: usual, weight: 9 }, { arbitrary: rare, weight: 1 });
}

function sometimes<Value, Other>(values: fc.Arbitrary<Value>, other: Other): fc.Arbitrary<Value | Other> {
  return fc.oneof({ arbitrary: values, weight: 2 }, { arbitrary: fc.constant(other), weight: 1 });
}

function pathWith(path: string, values: Readonly<Record<string, string>>): string {
  return path.replaceAll(/\{(\w+)\}/g, (_whole, name: string) => segment(values[name] ?? ""));
}

/** Replaces an empty segment and segments of dots, which would name another path. */
function segment(value: string): string {
  return /^\.{0,2}$/.test(value) ? "%20" : encoded(value);
}

function queries(
  parameters: readonly (Parameter & { values: fc.Arbitrary<unknown> })[],
): fc.Arbitrary<string> {
  const optional = parameters.filter(({ required }) => !required).map(({ name }) => name);
  const all = fc.record(
    Object.fromEntries(
      parameters.map(({ name, values }) => [name, rarely(values.map(String), hostileTexts)]),
    ),
  );
  // Use few filters at a time. With all of them, lists would be empty.
  const valid = fc
    .tuple(all, fc.subarray(optional, { maxLength: Math.min(optional.length, 2) }))
    .map(([values, chosen]) =>
      Object.fromEntries(
        Object.entries(values).filter(([name]) => !optional.includes(name) || chosen.includes(name)),
      ),
    );
  const wrong = fc.constantFrom(
    "unknown=1",
    "limit=1&limit=2",
    "=",
    "%zz",
    "limit",
    "a[]=1",
    "__proto__=1",
    "limit=%00",
  );
  return fc.tuple(sometimes(valid, {}), rarely(fc.constant(""), wrong)).map(([values, extra]) => {
    const pairs = Object.entries(values).map(([name, value]) => `${name}=${encoded(String(value))}`);
    const query = [...pairs, ...(extra === "" ? [] : [extra])].join("&");
    return query === "" ? "" : `?${query}`;
  });
}

// Most requests meet the version, so that most changes are made.
const versions = fc.constantFrom("*", "*", "*", "*", '"1"', '"2"', '"1", "2"');
const RANGES = ["bytes=0-1", "bytes=5-", "bytes=-5", "bytes=9-1", "bytes=0-1,3-4", "items=1-2", ""];
const HEADER_VALUES = ["", "x".repeat(300), "é", '"', "W/", "a b", "\t", "1", "*,*"];

function headerValues(name: string): fc.Arbitrary<string> {
  if (name === "If-Match") return rarely(versions, fc.constantFrom('W/"1"', ...HEADER_VALUES));
  if (name === "Idempotency-Key")
    return rarely(
      fc.nat(300).map((n) => `key-${n}`),
      fc.constantFrom(...HEADER_VALUES),
    );
  if (name === "Range") return fc.constantFrom(...RANGES);
  return fc.oneof(versions, fc.constantFrom('W/"1"', ...HEADER_VALUES));
}

interface Body {
  readonly body: Buffer;
  readonly headers: Readonly<Record<string, string>>;
}

function bodies(
  requestBody: DescribedOperation["requestBody"],
  valuesOf: (schema: Schema) => fc.Arbitrary<unknown>,
): fc.Arbitrary<Body | null> {
  const { content = {} } = requestBody ?? {};
  if ("multipart/form-data" in content) return forms;
  const schema = content["application/json"]?.schema;
  if (schema === undefined) return rarely(fc.constant(null), brokenBodies);
  const valid = valuesOf(schema);
  const broken = fc
    .tuple(valid, fc.array(mutations, { minLength: 1, maxLength: 2 }))
    .map(([value, changes]) => changes.reduce((body, change) => mutated(body, change), value as unknown));
  const json = (value: unknown): Body => ({
    body: Buffer.from(textOf(value)),
    headers: { "content-type": "application/json" },
  });
  return fc.oneof(
    { arbitrary: valid.map(json), weight: 12 },
    { arbitrary: broken.map(json), weight: 8 },
    { arbitrary: brokenBodies, weight: 1 },
    { arbitrary: fc.constant(null), weight: 1 },
  );
}

const forms = fc
  .record({
    name: fc.constantFrom("file", "file", "file", "other", ""),
    filename: fc.oneof(fc.constantFrom("a.png", "a.txt", "", "../x", "é.png", "a\0b"), hostileTexts),
    content: fc.constantFrom(PNG, Buffer.from("hello"), Buffer.alloc(0), PNG.subarray(0, 40)),
    end: fc.constantFrom("--\r\n", "--\r\n", "--\r\n", "", "\r\n"),
  })
  .map(({ name, filename, content, end }) => {
    const disposition = `form-data; name="${name}"; filename="${filename.replaceAll(/["\r\n]/g, "_").slice(0, 500)}"`;
    return {
      headers: { "content-type": "multipart/form-data; boundary=b" },
      body: Buffer.concat([
        Buffer.from(`--b\r\nContent-Disposition: ${disposition}\r\n\r\n`),
        content,
        Buffer.from(`\r\n--b${end}`),
      ]),
    };
  });
