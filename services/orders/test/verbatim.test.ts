// Metadata and addresses are returned as the text in which they were sent, wherever they are shown.
import { randomUUID } from "node:crypto";
import { elementTexts, memberTexts } from "@tradepost/json";
import { type ClientResponse, faultPaths, until } from "@tradepost/testing";
import fc from "fast-check";
import { ownTestOrders } from "./support/test-orders.ts";

const RUNS = 25;
const SPECIAL = [
  '{"price":2.50,"zero":-0,"10":1,"9":2,"a":1E+2,"b":1e999,"c":-0.0,"big":12345678901234567890.10}',
  '{ "spaces" : [ 1 ,\t2,\n3 ] ,\r\n"nul":"a\\u0000b","half":"\\ud800","\\u0000":0,"slash":"\\/","é":"\\u00e9 é 漢 😀 \u2028" }',
  '{"twice":1,"twice":2,"__proto__":{"x":1},"constructor":null,"toJSON":"x","":{}}',
  '{"metadata":{"metadata":{"orders":[{"metadata":{}}]}},"pending":"pending","$&":"$1 $& $$"}',
  "{}",
];

const space = fc.constantFrom("", "", " ", "\n\t");
const text = fc
  .array(
    fc.constantFrom(...["\\u0000", "\\uD83D", "\\n", "\\/", '\\"', "\\\\", "😀", "$&"], ..."a{],:é\u2028"),
    {
      maxLength: 6,
    },
  )
  .map((parts) => `"${parts.join("")}"`);
const number = fc
  .tuple(
    fc.constantFrom("", "-"),
    fc.oneof(fc.constant("0"), fc.bigInt({ min: 1n, max: 10n ** 30n }).map(String)),
    fc.constantFrom("", ".0", ".50", ".00000000000000000001"),
    fc.constantFrom("", "e5", "E+400", "e-0"),
  )
  .map((parts) => parts.join(""));
const { value: anyValue } = fc.letrec<{ value: string }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    fc.oneof(number, text, fc.constantFrom("true", "false", "null")),
    fc
      .tuple(fc.array(tie("value"), { maxLength: 3 }), space)
      .map(([all, gap]) => `[${gap}${all.join(`,${gap}`)}]`),
    objectOf(tie("value")),
  ),
}));
const jsonObject = objectOf(anyValue);

function objectOf(value: fc.Arbitrary<string>): fc.Arbitrary<string> {
  const name = fc.oneof(
    text,
    fc.constantFrom('"2"', '"1"', '"metadata"', '"shippingAddress"', '"__proto__"', '"orders"'),
  );
  return fc
    .tuple(fc.array(fc.tuple(name, value), { maxLength: 4 }), space)
    .map(([members, gap]) => `{${members.map(([n, v]) => `${gap}${n}${gap}:${gap}${v}`).join(",")}${gap}}`);
}

function textAt(json: string, ...path: string[]): string | undefined {
  return path.reduce<string | undefined>((found, name) => memberTexts(found ?? "").get(name), json);
}

function elementsAt(json: string, ...path: string[]): readonly string[] {
  return elementTexts(textAt(json, ...path) ?? "[]");
}

const orders = await ownTestOrders();
const shop = await orders.openShop();
let feedStart = (await shop.client.get("/v1/orders/events?after=now")).body.page.nextCursor;

describe("metadata and addresses", () => {
  const send = (method: string, path: string, body: string, key?: string) =>
    shop.client.send(method, path, {
      headers: { "content-type": "application/json", ...(key !== undefined && { "idempotency-key": key }) },
      body,
    });
  const addressOf = (object: string) =>
    `{"line1" : "a","city":"b","x":${object === "{}" ? 1 : object}, "zip":7e0}`;
  const fieldsOf = (object: string) =>
    `"metadata": ${object} ,"shippingAddress":${addressOf(object)},"billingAddress" : ${addressOf("{}")}`;
  const orderOf = (object: string, more = "") =>
    `{"customerId":"${shop.customerId}",${more}"items":[{"sku":"a","name":"a","unitPrice":10}],${fieldsOf(object)}}`;
  const expectVerbatim = (order: string | undefined, object: string) =>
    expect([
      textAt(order ?? "", "metadata"),
      textAt(order ?? "", "shippingAddress"),
      textAt(order ?? "", "billingAddress"),
    ]).toEqual([object, addressOf(object), addressOf("{}")]);
  const eventsOf = async (id: string, count: number) =>
    await until(`${count} events of the order`, () => {
      const texts = orders.messages.map(({ content }) => content.toString());
      const found = texts.filter((event) => textAt(event, "data", "order", "id") === `"${id}"`);
      return found.length >= count && found;
    });

  // An open transaction anywhere on the server may delay the feed for a moment.
  const feedOf = async (id: string, count: number) =>
    await until(`${count} events in the feed`, async () => {
      const { text } = await shop.client.get(`/v1/orders/events?after=${feedStart}&limit=100`);
      const data = elementsAt(text, "data").map((event) => textAt(event, "data") ?? "");
      const found = data.filter((one) => textAt(one, "order", "id") === `"${id}"`);
      if (found.length === count) feedStart = JSON.parse(textAt(text, "page", "nextCursor") ?? "");
      return found.length === count && found;
    });

  test("of orders are verbatim in responses, lists, replays and events, and after a PATCH", async () => {
    await fc.assert(
      fc.asyncProperty(jsonObject, jsonObject, async (first, second) => {
        const key = randomUUID();
        const placed = await send("POST", "/v1/orders", orderOf(first), key);
        expect([placed.status, placed.body.error]).toEqual([201, undefined]);
        const { id } = placed.body.data;
        const path = `/v1/orders/${id}`;
        const replayed = await send("POST", "/v1/orders", orderOf(first), key);
        expect([replayed.headers.get("idempotent-replayed"), replayed.text]).toEqual(["true", placed.text]);
        const listed = await shop.client.get(`/v1/orders?ids=${id}`);
        for (const shown of [
          textAt(placed.text, "data"),
          textAt((await shop.client.get(path)).text, "data"),
          elementsAt(listed.text, "data")[0],
        ]) {
          expectVerbatim(shown, first);
        }
        const paid = await send("POST", `${path}/payments`, '{"status":"failed"}', key);
        expectVerbatim(textAt(paid.text, "data"), first);
        expect((await send("POST", `${path}/payments`, '{"status":"failed"}', key)).text).toBe(paid.text);

        const changed = await send("PATCH", path, `{${fieldsOf(second)}}`);
        expectVerbatim(textAt(changed.text, "data"), second);
        expectVerbatim(textAt((await shop.client.get(path)).text, "data"), second);
        const unchanged = await send("PATCH", path, `{${fieldsOf(second)}}`);
        expect(unchanged.text).toBe(changed.text);
        await send("POST", `${path}/fulfill`, "{}");
        const events = await eventsOf(id, 3);
        events.forEach((event, index) => {
          expectVerbatim(textAt(event, "data", "order"), index < 2 ? first : second);
        });
        // A PATCH that changes something is in the feed, and on no exchange.
        const isUpdated = changed.body.data.version > paid.body.data.version;
        const inFeed = await feedOf(id, isUpdated ? 4 : 3);
        const updated = isUpdated ? inFeed.splice(2, 1) : [];
        for (const event of updated) expectVerbatim(textAt(event, "order"), second);
        expect(inFeed).toEqual(events.map((event) => textAt(event, "data")));
      }),
      { numRuns: RUNS, examples: SPECIAL.map((special) => [special, SPECIAL[0] ?? ""] as [string, string]) },
    );
  });
  test("of an import are verbatim in its response, its replay, the orders and their events", async () => {
    const key = randomUUID();
    const body = `{"orders" : [${SPECIAL.map((special) => orderOf(special)).join(" , ")}, null]}`;
    const imported = await send("POST", "/v1/orders/bulk", body, key);
    expect(imported.status).toBe(200);
    const results = elementsAt(imported.text, "data");
    for (const [index, special] of SPECIAL.entries()) {
      const order = textAt(results[index] ?? "", "data") ?? "";
      expectVerbatim(order, special);
      const id = JSON.parse(textAt(order, "id") ?? "");
      expectVerbatim(textAt((await shop.client.get(`/v1/orders/${id}`)).text, "data"), special);
      expectVerbatim(textAt((await eventsOf(id, 1))[0] ?? "", "data", "order"), special);
    }
    expect(imported.body.data.at(-1).error.details).toEqual([
      { path: "orders[5]", message: "must be an object" },
    ]);
    expect((await send("POST", "/v1/orders/bulk", body, key)).text).toBe(imported.text);
  });

  test("of customers are verbatim in responses, lists and replays, and after PATCH and PUT", async () => {
    await fc.assert(
      fc.asyncProperty(jsonObject, jsonObject, async (first, second) => {
        const key = randomUUID();
        const body = `{"name":"A","externalId":"${key}","metadata":${first}}`;
        const created = await send("POST", "/v1/customers", body, key);
        expect([created.status, textAt(created.text, "data", "metadata")]).toEqual([201, first]);
        expect((await send("POST", "/v1/customers", body, key)).text).toBe(created.text);
        const path = `/v1/customers/${created.body.data.id}`;
        const patched = await send("PATCH", path, `{"metadata":${second}}`);
        expect(textAt(patched.text, "data", "metadata")).toBe(second);
        const listed = await shop.client.get(`/v1/customers?externalId=${key}`);
        expect(textAt(elementsAt(listed.text, "data")[0] ?? "", "metadata")).toBe(second);
        const put = await send(
          "PUT",
          `/v1/customers/by-external-id/${key}`,
          `{"name":"A", "metadata":${first}}`,
        );
        expect(textAt(put.text, "data", "metadata")).toBe(first);
        expect(textAt((await shop.client.get(path)).text, "data", "metadata")).toBe(first);
      }),
      { numRuns: RUNS, examples: SPECIAL.map((special) => [special, SPECIAL[1] ?? ""] as [string, string]) },
    );
  });

  test("are compared by value for an Idempotency-Key, and by text for a change", async () => {
    const key = randomUUID();
    const first = await send("POST", "/v1/orders", orderOf('{"a":2.50,"b":1}'), key);
    const again = await send("POST", "/v1/orders", orderOf('{"b":1.0,"a":2.5}'), key);
    expect([again.headers.get("idempotent-replayed"), again.text]).toEqual(["true", first.text]);
    const path = `/v1/orders/${first.body.data.id}`;
    expect((await send("PATCH", path, '{"metadata":{"a":2.5,"b":1}}')).body.data.version).toBe(2);
  });

  test("have at most 64 KiB as metadata and 8 KiB as an address, spaces included", async () => {
    const padded = (object: string, bytes: number) =>
      object.replace(/}$/, `${" ".repeat(bytes - object.length)}}`);
    const metadata = (bytes: number) => padded('{"a":1}', bytes);
    const address = (bytes: number) => padded('{"line1":"a","city":"b"}', bytes);
    const KIB = 1024;
    const orderWith = (members: string) =>
      `{"customerId":"${shop.customerId}","items":[{"sku":"a","name":"b"}],${members}}`;
    const created = await send("POST", "/v1/orders", orderWith(`"metadata":${metadata(64 * KIB)}`));
    expect(created.status).toBe(201);
    const path = `/v1/orders/${created.body.data.id}`;
    expect((await send("PATCH", path, `{"billingAddress":${address(8 * KIB)}}`)).status).toBe(200);
    const tooLong = { metadata: metadata(64 * KIB + 1), billingAddress: address(8 * KIB + 1) };
    const members = `"metadata":${tooLong.metadata},"billingAddress":${tooLong.billingAddress}`;
    const pathsOf = (response: ClientResponse) => [response.status, faultPaths(response)];
    const order = orderWith(members);
    expect(pathsOf(await send("POST", "/v1/orders", order))).toEqual([422, ["billingAddress", "metadata"]]);
    expect(pathsOf(await send("PATCH", path, `{${members}}`))).toEqual([422, ["billingAddress", "metadata"]]);
    const bulk = await send("POST", "/v1/orders/bulk", `{"orders":[${order}]}`);
    expect(bulk.body.data[0].error.details).toHaveLength(2);
    const customer = `{"name":"Ada","metadata":${tooLong.metadata}}`;
    expect(pathsOf(await send("POST", "/v1/customers", customer))).toEqual([422, ["metadata"]]);
    const byExternalId = await send("PUT", "/v1/customers/by-external-id/long", customer);
    expect(pathsOf(byExternalId)).toEqual([422, ["metadata"]]);
  });

  test("may be nested 64 levels deep, and no other text may contain U+0000", async () => {
    const nested = (levels: number) => `{"a":${"[".repeat(levels)}"\\u0000"${"]".repeat(levels)}}`;
    expect((await send("POST", "/v1/orders", orderOf(nested(60)))).status).toBe(201);
    const deep = await send("POST", "/v1/orders", orderOf(nested(64)));
    expect([deep.status, deep.body.error.details.length]).toEqual([422, 2]);
    for (const [field, body] of [
      ["customerNote", orderOf("{}", '"customerNote":"a\\u0000",')],
      ["shippingAddress.line1", orderOf("{}").replace('"line1" : "a"', '"line1":"a\\u0000"')],
    ] as const) {
      const { status, body: refused } = await send("POST", "/v1/orders", body);
      expect([status, faultPaths({ body: refused })]).toEqual([422, [field]]);
    }
  });
});
