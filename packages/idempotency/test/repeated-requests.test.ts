// A request that is repeated under its Idempotency-Key takes effect once and gets the first response; another request under
// the key is refused, and a failure may be repeated (interface §4).
import { randomUUID } from "node:crypto";
import { type ApiClient, faultPaths } from "@tradepost/testing";
import { isReplayed, outcome, useTestNotes } from "./support/test-notes.ts";

const notes = await useTestNotes();

const newText = () => ({ text: randomUUID() });
const newNote = async (client: ApiClient) =>
  (await client.post("/v1/notes", newText())).headers.get("location");
const post = (client: ApiClient, path: string, body: object | undefined, key: string) =>
  client.post(path, body, { "idempotency-key": key });
const HEADERS = { "content-type": "application/json", "idempotency-key": "k" };
const send = (client: ApiClient, body: string) =>
  client.send("POST", "/v1/notes", { headers: HEADERS, body });

describe("a repeated request", () => {
  test("takes effect once, and gets the first response from every replica, with a header that says so", async () => {
    const { client, clientAt, counts } = notes.openTenant();
    const key = randomUUID();
    const body = newText();
    const first = await post(client, "/v1/notes", body, key);
    expect(outcome(first)).toEqual([201, false]);
    for (const url of [notes.url, notes.otherUrl]) {
      const again = await post(clientAt(url), "/v1/notes", body, key);
      expect(outcome(again)).toEqual([201, true]);
      expect(again.text).toBe(first.text);
      for (const name of ["location", "etag", "content-type", "cache-control"]) {
        expect(first.headers.get(name)).not.toBeNull();
        expect([name, again.headers.get(name)]).toEqual([name, first.headers.get(name)]);
      }
      expect(again.headers.get("x-request-id")).not.toBe(first.headers.get("x-request-id"));
    }
    expect(await counts()).toEqual([1, 1]);
  });

  test("gets the text of the first response: its digits, its spaces, its escapes, and U+0000", async () => {
    const { client } = notes.openTenant();
    const metadata =
      '{"big":12345678901234567890123, "tiny":1e-400,"text":"\\" é 😀 $& \\u0000","same":2.50,"__proto__":{"x":-0}}';
    const text = `{"text":"call \\"me\\"\\n\\t é","metadata":${metadata}}`;
    const [first, again] = [await send(client, text), await send(client, text)];
    expect([first, again].map(outcome)).toEqual([
      [201, false],
      [201, true],
    ]);
    expect(first.text).toContain(`"metadata":${metadata}`);
    expect(first.text).toContain('"received":"a\\u0000b"');
    expect(again.text).toBe(first.text);
  });

  test("gets the first response although the note has changed since, or is gone", async () => {
    const { tenantId, client, counts } = notes.openTenant();
    const keys = { create: randomUUID(), append: randomUUID() };
    const body = newText();
    const created = await post(client, "/v1/notes", body, keys.create);
    const path = `${created.headers.get("location")}/append`;
    const appended = await post(client, path, {}, keys.append);
    const expectFirst = async () => {
      const [createdAgain, appendedAgain] = [
        await post(client, "/v1/notes", body, keys.create),
        await post(client, path, {}, keys.append),
      ];
      expect([createdAgain.text, createdAgain.headers.get("etag")]).toEqual([created.text, '"1"']);
      expect([appendedAgain.text, appendedAgain.headers.get("etag")]).toEqual([appended.text, '"2"']);
    };
    // An append may be repeated under another key, so only the record's primary key refuses it here.
    expect((await client.post(path)).body.data.version).toBe(3);
    await expectFirst();
    await notes.owner.query("delete from notes where tenant_id = $1", [tenantId]);
    await expectFirst();
    expect(await counts()).toEqual([0, 2]);
  });

  test("gets the first response although If-Match names an earlier version by now", async () => {
    const { client } = notes.openTenant();
    const path = `${await newNote(client)}/append`;
    const append = (key: string) => client.post(path, {}, { "idempotency-key": key, "if-match": '"1"' });
    expect(outcome(await append("once"))).toEqual([200, false]);
    expect(outcome(await append("once"))).toEqual([200, true]);
    expect(outcome(await append("twice"))).toEqual([412, "version_mismatch"]);
  });

  test("is recognised despite other spacing, another order of members, another case of the path, and {} for no body", async () => {
    const { client } = notes.openTenant();
    const first = await send(
      client,
      '{"text":"a","tags":["b","c"],"metadata":{"b":[1,2.50],"a":12345678901234567890}}',
    );
    expect(outcome(first)).toEqual([201, false]);
    const again = await send(
      client,
      '{ "metadata" :{"a":12345678901234567890 ,\n"b":[ 1.0,2.5 ]},"tags":[ "b" ,"c"],"text":"\\u0061" }',
    );
    expect([outcome(again), again.text]).toEqual([[201, true], first.text]);

    const path = `${await newNote(client)}/append`;
    expect(outcome(await post(client, path, undefined, "cased"))).toEqual([200, false]);
    const inUpperCase = path.replace(/[0-9a-f-]{36}/, (id) => id.toUpperCase());
    for (const at of [path, inUpperCase])
      expect(outcome(await post(client, at, {}, "cased"))).toEqual([200, true]);
  });

  test("without a key takes effect each time, and leaves no record", async () => {
    const { client, counts } = notes.openTenant();
    const path = `${await newNote(client)}/append`;
    expect((await client.post(path)).body.data.version).toBe(2);
    expect((await client.post(path)).body.data.version).toBe(3);
    expect(await counts()).toEqual([1, 0]);
  });
});

describe("an Idempotency-Key", () => {
  test.each([
    ["another digit", '{"a":12345678901234567891,"b":[1,2]}', ""],
    ["another order in a list", '{"a":12345678901234567890,"b":[2,1]}', ""],
    ["another member", '{"a":12345678901234567890,"b":[1,2],"__proto__":{"x":1}}', ""],
    ["another field", '{"a":12345678901234567890,"b":[1,2]}', ',"tags":[]'],
  ])("is refused for a body with %s, and nothing is written", async (_what, metadata, more) => {
    const { client, counts } = notes.openTenant();
    const original = '{"text":"a","metadata":{"a":12345678901234567890,"b":[1,2]}}';
    const first = await send(client, original);
    const reused = await send(client, `{"text":"a","metadata":${metadata}${more}}`);
    expect(outcome(reused)).toEqual([422, "idempotency_key_reused"]);
    // Under a new key, this body would take effect.
    expect(outcome(await send(client, '{"text":"b"}'))).toEqual([422, "idempotency_key_reused"]);
    expect(await counts()).toEqual([1, 1]);
    expect((await send(client, original)).text).toBe(first.text);
  });

  test("may be used once on each route", async () => {
    const { client, counts } = notes.openTenant();
    const path = await newNote(client);
    for (const [at, body] of [
      ["/v1/notes", newText()],
      [`${path}/append`, {}],
      [`${path}/check`, {}],
    ] as const) {
      const response = await post(client, at, body, "k");
      expect([at, response.status < 300, isReplayed(response)]).toEqual([at, true, false]);
    }
    expect(await counts()).toEqual([2, 3]);
  });

  test("may be repeated by another user of the tenant, if this one has the rights", async () => {
    const { client, clientAt } = notes.openTenant();
    const body = newText();
    const first = await post(client, "/v1/notes", body, "k");
    const again = await post(clientAt(), "/v1/notes", body, "k");
    expect([outcome(again), again.text]).toEqual([[201, true], first.text]);
    const { status } = await post(clientAt(notes.url, []), "/v1/notes", body, "k");
    expect(status).toBe(403);
  });

  test("has 1 to 255 visible ASCII characters; another is refused, together with the faults of the body", async () => {
    const { client } = notes.openTenant();
    const visible = Array.from({ length: 0x7f - 0x21 }, (_, index) => String.fromCharCode(0x21 + index));
    for (const key of ["k", "k".repeat(255), visible.join("")]) {
      const body = newText();
      expect(outcome(await post(client, "/v1/notes", body, key))).toEqual([201, false]);
      expect(outcome(await post(client, "/v1/notes", body, key))).toEqual([201, true]);
    }
    for (const key of ["", " ", "k".repeat(256), "a b", "a\tb", "clé"]) {
      const refused = await post(client, "/v1/notes", { text: "", surprise: 1 }, key);
      const faults = [refused.status, ...faultPaths(refused)];
      expect([key, ...faults]).toEqual([key, 422, "Idempotency-Key", "surprise", "text"]);
    }
  });
});

describe("a failure is not stored", () => {
  test("if the body is invalid, or the request a conflict: the corrected one succeeds under the key", async () => {
    const { client, counts } = notes.openTenant();
    const taken = newText();
    await client.post("/v1/notes", taken);
    for (const [refused, status, code] of [
      [{ text: "" }, 422, "validation_error"],
      [taken, 409, "conflict"],
    ] as const) {
      const key = randomUUID();
      for (const _ of ["once", "and again"]) {
        expect(outcome(await post(client, "/v1/notes", refused, key))).toEqual([status, code]);
      }
      const [, records] = await counts();
      const body = newText();
      expect(outcome(await post(client, "/v1/notes", body, key))).toEqual([201, false]);
      expect(outcome(await post(client, "/v1/notes", body, key))).toEqual([201, true]);
      expect((await counts())[1]).toBe(records + 1);
    }
  });

  test("if the note is missing or of another version: the same request succeeds once it is possible", async () => {
    const { tenantId, client, counts } = notes.openTenant();
    const id = randomUUID();
    const append = (key: string, version: number) =>
      client.post(`/v1/notes/${id}/append`, {}, { "idempotency-key": key, "if-match": `"${version}"` });
    expect(outcome(await append("k", 1))).toEqual([404, "not_found"]);
    await notes.owner.query("insert into notes (tenant_id, id, text) values ($1, $2, 'a')", [tenantId, id]);
    expect(outcome(await append("k", 1))).toEqual([200, false]);
    expect(outcome(await append("k", 1))).toEqual([200, true]);

    expect(outcome(await append("later", 3))).toEqual([412, "version_mismatch"]);
    await client.post(`/v1/notes/${id}/append`);
    expect(outcome(await append("later", 3))).toEqual([200, false]);
    expect(await counts()).toEqual([1, 2]);
  });
});

describe("a record", () => {
  test.each([
    ["24 hours", "has expired: its key may be used again, for the same or another request", false, 201],
    ["23 hours 59.5 minutes", "still replays its response, and refuses another request", true, 422],
  ])("%s old %s", async (by, _what, replayed, otherStatus) => {
    const { client, age } = notes.openTenant();
    const note = await newNote(client);
    const body = newText();
    for (const [path, sent] of [
      [`${note}/append`, {}],
      [`${note}/check`, {}],
      ["/v1/notes", body],
    ] as const) {
      const first = await post(client, path, sent, "k");
      await age(by);
      if (!replayed && path === "/v1/notes")
        await notes.owner.query("delete from notes where text = $1", [body.text]);
      const again = await post(client, path, sent, "k");
      expect([path, again.status, isReplayed(again)]).toEqual([path, first.status, replayed]);
      expect(again.text === first.text).toBe(replayed);
      expect(isReplayed(await post(client, path, sent, "k"))).toBe(true);
    }
    await age(by);
    expect((await post(client, "/v1/notes", newText(), "k")).status).toBe(otherStatus);
  });
});
