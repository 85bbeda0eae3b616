// A request with several faults gets the refusal that comes first (interface §1): 401, 403, then 415, 413, 400, 422, then 404,
// then 409; within 403 the module, the role, the scope. So a caller learns nothing about resources that it may not see.
import { randomUUID } from "node:crypto";
import type { Principal } from "../src/principal.ts";
import { expectFailure } from "./support/expect-failure.ts";
import { asChunk, bodyOf, JSON_TYPE, NOTE_ID, sendBytes, useNotesService } from "./support/notes-service.ts";

const TOO_LARGE = JSON.stringify({ title: "x".repeat(3 * 1024 * 1024) });
// Each of these bodies is also refused without another fault.
const FAULTY_BODIES: [string, string, string, number][] = [
  ["of another type", "text/plain", "{}", 415],
  ["too large", JSON_TYPE, TOO_LARGE, 413],
  ["that is not JSON", JSON_TYPE, "{", 400],
  ["that is not valid", JSON_TYPE, '{"count":1.5}', 422],
];
const KEY = { type: "api_key", id: "k", name: "A key" } as const;
const nobody = { "x-caller": "" };
const as = (principal: Partial<Principal>) => ({ "x-caller": JSON.stringify(principal) });
const viewerWithoutModules = as({ role: "viewer", modules: [] });
const keyWithoutModules = as({ role: "editor", actor: KEY, modules: [] });
const viewerKeyWithoutScopes = as({ role: "viewer", actor: KEY });
const keyWithoutScopes = as({ role: "editor", actor: KEY });
const owner = as({});

const service = await useNotesService();

const send = (caller: Record<string, string>, path: string, type: string, body: string) =>
  service.send("POST", path, body, { "content-type": type, ...caller });

describe.each(FAULTY_BODIES)("with a body %s", (_what, type, body, status) => {
  test.each(["/v1/notes", `/v1/notes/${NOTE_ID}/print`, "/v1/nothing", "/v1/notes/%"])(
    "401 comes first on %s",
    async (path) => {
      expectFailure(await send(nobody, path, type, body), 401, "unauthorized");
      expectFailure(await send(nobody, `${path}?dryrun=1`, type, body), 401, "unauthorized");
    },
  );

  test("the module comes before the role, the scope and the body", async () => {
    for (const caller of [viewerWithoutModules, keyWithoutModules])
      expectFailure(await send(caller, "/v1/notes?dryrun=1", type, body), 403, "module_disabled");
  });

  test("the role comes before the scope, and both come before the body", async () => {
    const role = await send(viewerKeyWithoutScopes, "/v1/notes?dryrun=1", type, body);
    expectFailure(role, 403, "forbidden");
    expect(role.body.error.message).toBe('This needs the role "editor"; the caller has "viewer".');
    const scope = await send(keyWithoutScopes, "/v1/notes?dryrun=1", type, body);
    expectFailure(scope, 403, "forbidden");
    expect(scope.body.error.message).toBe('This needs the scope "write:crm", which the key does not have.');
  });

  test("the body comes before an unknown parameter, and before 409", async () => {
    expect((await send(owner, "/v1/notes?dryrun=1", type, body)).status).toBe(status);
  });

  test("nothing reaches the handler", async () => {
    for (const caller of [nobody, keyWithoutModules, keyWithoutScopes, owner])
      await send(caller, "/v1/notes", type, body);
    expect(service.handled).toHaveLength(0);
  });
});

test("415 comes before 413, 413 before 400, and 400 before 422", async () => {
  expectFailure(await send(owner, "/v1/notes", "text/plain", TOO_LARGE), 415, "unsupported_media_type");
  expectFailure(await send(owner, "/v1/notes", JSON_TYPE, `{${TOO_LARGE}`), 413, "payload_too_large");
  expectFailure(await send(owner, "/v1/notes?dryrun=1", JSON_TYPE, "{"), 400, "invalid_json");
});

test("a chunked body without a length is refused in the same order", async () => {
  const inChunks = async (caller: Record<string, string>, type: string) => {
    const lines = ["POST /v1/notes HTTP/1.1", "Host: x", "Connection: close", "Transfer-Encoding: chunked"];
    lines.push(`Content-Type: ${type}`, `X-Caller: ${caller["x-caller"]}`);
    const received = await sendBytes(service, `${lines.join("\r\n")}\r\n\r\n${asChunk(TOO_LARGE)}`);
    return (bodyOf(received) as { error: { code: string } }).error.code;
  };
  expect(await inChunks(nobody, "text/plain")).toBe("unauthorized");
  expect(await inChunks(keyWithoutModules, "text/plain")).toBe("module_disabled");
  expect(await inChunks(keyWithoutScopes, "text/plain")).toBe("forbidden");
  expect(await inChunks(owner, "text/plain")).toBe("unsupported_media_type");
  expect(await inChunks(owner, JSON_TYPE)).toBe("payload_too_large");
});

test.each([
  ["GET", randomUUID()],
  ["GET", "malformed"],
  ["DELETE", randomUUID()],
])("403 comes before 404: %s of the id %s", async (method, id) => {
  const path = `/v1/notes/${id}`;
  expectFailure(await service.send(method, path, undefined, keyWithoutScopes), 403, "forbidden");
  expectFailure(await service.send(method, path, undefined, owner), 404, "not_found");
});

test("401 and 403 come before 422 of a query, and 422 before 404", async () => {
  const path = "/v1/notes/malformed?dryrun=1";
  expectFailure(await service.send("DELETE", path, undefined, nobody), 401, "unauthorized");
  expectFailure(await service.send("DELETE", path, undefined, keyWithoutScopes), 403, "forbidden");
  expectFailure(await service.send("DELETE", path, undefined, owner), 422, "validation_error", ["dryrun"]);
});

test("422 of a body comes before 404, and 404 before 409", async () => {
  const patch = (id: string, body: string) => service.send("PATCH", `/v1/notes/${id}`, body);
  for (const id of ["malformed", randomUUID()]) {
    expectFailure(await patch(id, '{"title":1}'), 422, "validation_error", ["title"]);
    expectFailure(await patch(id, '{"title":"taken"}'), 404, "not_found");
  }
  expectFailure(await patch(NOTE_ID, '{"title":"taken"}'), 409, "conflict");
});
