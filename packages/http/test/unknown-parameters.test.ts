// An unknown query parameter is 422 on every route and named together with the allowed ones (interface §1).
import { expectFailure, pathsOf } from "./support/expect-failure.ts";
import { JSON_TYPE, NOTE_ID, useNotesService } from "./support/notes-service.ts";

const service = await useNotesService();

test.each([
  ["GET", "/v1/notes", undefined, "allowed are color, limit"],
  ["GET", `/v1/notes/${NOTE_ID}`, undefined, "this path takes no query parameters"],
  ["DELETE", `/v1/notes/${NOTE_ID}`, undefined, "this path takes no query parameters"],
  ["POST", "/v1/notes", '{"title":"a"}', "this path takes no query parameters"],
  ["PATCH", `/v1/notes/${NOTE_ID}`, '{"title":"a"}', "this path takes no query parameters"],
  ["POST", "/v1/empty", undefined, "this path takes no query parameters"],
])("of %s %s is 422", async (method, path, body, hint) => {
  const response = await service.send(method, `${path}?dryrun=1`, body);
  expectFailure(response, 422, "validation_error");
  expect(response.body.error.details).toEqual([{ path: "dryrun", message: `unknown parameter; ${hint}` }]);
  expect(service.handled).toHaveLength(0);
});

test("is named once, without its value, also if its name is empty or repeated", async () => {
  const { body } = await service.send("POST", "/v1/notes?token=secret&token=secret&=x", '{"title":"a"}');
  expect(pathsOf(body)).toEqual(["token", '""']);
  expect(JSON.stringify(body)).not.toContain("secret");
});

test("is reported together with an invalid Idempotency-Key and the faults of the body", async () => {
  const response = await service.send("POST", "/v1/notes?dryrun=1", '{"titl":"a"}', {
    "content-type": JSON_TYPE,
    "idempotency-key": "a b",
  });
  expectFailure(response, 422, "validation_error", ["Idempotency-Key", "dryrun", "titl", "title"]);
});

test("does not matter on a path that does not exist, or that has other methods", async () => {
  expectFailure(await service.send("GET", "/v1/nothing?dryrun=1"), 404, "not_found");
  expectFailure(await service.send("DELETE", "/v1/notes?dryrun=1"), 405, "method_not_allowed");
});

test("is not what an allowed one is, unless that is repeated", async () => {
  expect((await service.send("GET", "/v1/notes?limit=1&color=red")).status).toBe(200);
  expect(service.handled[0]?.query).toEqual({ limit: "1", color: "red" });
  const { body } = await service.send("GET", "/v1/notes?limit=1&limit=2");
  expect(body.error.details).toEqual([{ path: "limit", message: "occurs more than once" }]);
});

test.each(["%ff", "%C3", "100%", "%zz"])(
  "is not what one with the value %s is, which is 422",
  async (value) => {
    const { status, body } = await service.send("GET", `/v1/notes?limit=1&color=${value}`);
    expect(status).toBe(422);
    expect(body.error.details).toEqual([{ path: "color", message: "is not percent-encoded UTF-8" }]);
  },
);
