// Bodies that every route refuses: another media type, not JSON, too large, or invalid (interface §1).
import { expectFailure, pathsOf } from "./support/expect-failure.ts";
import {
  asChunk,
  head,
  JSON_TYPE,
  NOTE_ID,
  open,
  SMALL_BYTES_MAX,
  useNotesService,
} from "./support/notes-service.ts";

const MIB = 1024 * 1024;
const NOTE = '{"title":"a"}';
const padded = (bytes: number) => NOTE.padEnd(bytes);

const service = await useNotesService();

const post = (body: string | Buffer, headers?: Record<string, string>) =>
  service.send("POST", "/v1/notes", body, headers);
const typed = (type: string) => ({ "content-type": type });

describe("a body that is not JSON is 400 invalid_json", () => {
  test.each(["", " ", "{", '{"title":"a",}', "undefined", '{"a":1}{"b":2}', "{'title':1}", "\u0000", "nul"])(
    "as %j",
    async (body) => {
      expectFailure(await post(body), 400, "invalid_json");
      expect(service.handled).toHaveLength(0);
    },
  );

  test("as bytes that are not UTF-8", async () => {
    for (const bytes of ["\xff", "\xc3", "\xed\xa0\x80"])
      expectFailure(await post(Buffer.from(`{"title":"${bytes}"}`, "latin1")), 400, "invalid_json");
  });

  test("but a missing body means {} on a route where it is optional", async () => {
    const paths = pathsOf((await service.send("POST", "/v1/open")).body);
    expect(paths).toEqual(["title"]);
    expectFailure(await service.send("POST", "/v1/open", " "), 400, "invalid_json");
  });
});

describe("the type of a body", () => {
  test.each([
    ["text", typed("text/plain")],
    ["a form", typed("application/x-www-form-urlencoded")],
    ["other JSON", typed("application/json-patch+json")],
    ["a merge patch in a POST", typed("application/merge-patch+json")],
    ["JSON in another character set", typed("application/json; charset=utf-16")],
    ["JSON in another quoted character set", typed('application/json; v=1; charset="latin1"')],
    ["a longer type", typed("application/jsonx")],
    ["compressed JSON", { ...typed(JSON_TYPE), "content-encoding": "gzip" }],
    ["a body without a type", {}],
  ])("is 415 unsupported_media_type for %s", async (_what, headers) => {
    expectFailure(await post(Buffer.from(NOTE), headers), 415, "unsupported_media_type");
    expect(service.handled).toHaveLength(0);
  });

  test.each([
    ["JSON", typed(JSON_TYPE)],
    ["JSON in UTF-8", typed("application/json; charset=utf-8")],
    ["JSON in quoted UTF-8, in capitals", typed('APPLICATION/JSON;charset="UTF8"')],
    ["JSON with an empty parameter", typed("application/json ;")],
    [
      "JSON with other parameters",
      typed('application/json; charset=utf-8; profile="https://a.example/;b"; v=1'),
    ],
    ["JSON without compression", { ...typed(JSON_TYPE), "content-encoding": "identity" }],
  ])("may be %s", async (_what, headers) => {
    expect((await post(NOTE, headers)).status).toBe(201);
  });

  test.each(["", ";charset=UTF-8", ';charset="utf-8"; v=1'])(
    "may be a merge patch in a PATCH, with parameters %s",
    async (parameters) => {
      const { status } = await service.send(
        ...(["PATCH", `/v1/notes/${NOTE_ID}`, NOTE] as const),
        typed(`application/merge-patch+json${parameters}`),
      );
      expect(status).toBe(200);
    },
  );
});

describe("the size of a body", () => {
  const statusOf = async (bytes: string) => {
    const { socket, statuses, until } = open(service);
    socket.write(bytes);
    await until(() => statuses().length === 1);
    socket.destroy();
    return statuses()[0];
  };
  const withLength = (path: string, body: string) =>
    head(`POST ${path}`, `Content-Length: ${body.length}`) + body;
  const inChunks = (path: string, body: string) =>
    head(`POST ${path}`, "Transfer-Encoding: chunked") + asChunk(body);
  const ways = [
    ["with its length", withLength],
    ["in one chunk", inChunks],
    [
      "in many chunks",
      (path: string, body: string) =>
        head(`POST ${path}`, "Transfer-Encoding: chunked") +
        (body.match(/.{1,1024}/g) ?? [])
          .map((part) => `${part.length.toString(16)}\r\n${part}\r\n`)
          .join("")
          .concat("0\r\n\r\n"),
    ],
  ] as const;

  test.each(ways)("may be 2 MiB, %s; a byte more is 413 payload_too_large", async (_how, request) => {
    expect(await statusOf(request("/v1/notes", padded(2 * MIB)))).toBe(201);
    expect(await statusOf(request("/v1/notes", padded(2 * MIB + 1)))).toBe(413);
    expect(service.handled).toHaveLength(1);
  });

  test.each(ways)("may be limited further by the route, %s", async (_how, request) => {
    for (const [path, body] of [
      ["/v1/open", NOTE],
      ["/v1/empty", "{}"],
    ] as const) {
      expect([path, await statusOf(request(path, body.padEnd(SMALL_BYTES_MAX)))]).toEqual([path, 201]);
      expect([path, await statusOf(request(path, body.padEnd(SMALL_BYTES_MAX + 1)))]).toEqual([path, 413]);
    }
  });

  test("has the envelope of other refusals", async () => {
    expectFailure(await post(padded(3 * MIB)), 413, "payload_too_large");
  });

  test("is 413 as soon as it is announced", async () => {
    expect(await statusOf(head("POST /v1/notes", `Content-Length: ${2 * MIB + 1}`))).toBe(413);
  });
});

describe("JSON that is not valid is 422 validation_error", () => {
  test.each(["[]", "null", '"text"', "7", "true"])("as %s, which is not an object", async (body) => {
    expectFailure(await post(body), 422, "validation_error", ["body"]);
  });

  test("with an unknown field, at any depth", async () => {
    const body = '{"title":"a","tenantId":"x","__proto__":{"role":"owner"},"owner":{"name":"b","nam":1}}';
    const response = await post(body);
    expectFailure(response, 422, "validation_error", ["tenantId", "__proto__", "owner.nam"]);
    for (const { message } of response.body.error.details) expect(message).toBe("unknown field");
  });

  test("and names every field at fault, but no value", async () => {
    const response = await post('{"count":"secret","tags":[{"name":1},{"rank":true}]}');
    expect(response.body.error.details).toEqual([
      { path: "title", message: "is required" },
      { path: "count", message: "must be a whole number" },
      { path: "tags[0].name", message: "must be a string" },
      { path: "tags[1].name", message: "is required" },
      { path: "tags[1].rank", message: "must be a number" },
    ]);
    expect(response.body.error.message).toBe("title: is required (and 4 more)");
    expect(JSON.stringify(response.body)).not.toContain("secret");
  });
});

describe("a change that takes no body", () => {
  const CHANGES = [
    ["POST", "/v1/empty", 201],
    ["DELETE", `/v1/notes/${NOTE_ID}`, 200],
  ] as const;
  const send = (method: string, path: string, body?: string, type = JSON_TYPE) =>
    service.send(method, path, body, { "content-type": type });

  test.each(CHANGES)("accepts none and {}, and refuses any other: %s %s", async (method, path, status) => {
    for (const body of [undefined, "", "{}"]) expect((await send(method, path, body)).status).toBe(status);
    expect(service.handled.map(({ body }) => body)).toEqual([undefined, undefined, undefined]);
    expectFailure(await send(method, path, '{"dryRun":true}'), 422, "validation_error", ["dryRun"]);
    for (const body of ["null", "[]", "5"])
      expectFailure(await send(method, path, body), 422, "validation_error", ["body"]);
    expectFailure(await send(method, path, "{bad"), 400, "invalid_json");
    expectFailure(await send(method, path, "x", "text/plain"), 415, "unsupported_media_type");
    expect(service.handled).toHaveLength(3);
  });

  test("names the faults of the query too", async () => {
    const response = await send("POST", "/v1/empty?now=1", '{"dryRun":true}');
    expectFailure(response, 422, "validation_error", ["now", "dryRun"]);
  });
});
