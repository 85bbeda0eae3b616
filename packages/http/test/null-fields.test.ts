// In the body of a POST, null for an optional field means the same as a missing field (interface §1), at every depth. Where null
// is data, it is kept. It is refused for a required field, in a list, and in a PATCH unless it clears a field.
import { VerbatimJson } from "@tradepost/json";
import { expectFailure } from "./support/expect-failure.ts";
import { JSON_TYPE, NOTE_ID, useNotesService } from "./support/notes-service.ts";

const service = await useNotesService();

const post = (body: object) =>
  service.send("POST", "/v1/notes", JSON.stringify(body), {
    "content-type": JSON_TYPE,
    "idempotency-key": "mine",
  });
const patch = (body: object) => service.send("PATCH", `/v1/notes/${NOTE_ID}`, JSON.stringify(body));

describe("null in a POST", () => {
  test("is the same as a missing field, at every depth", async () => {
    const missing = { title: "a", tags: [{ name: "x" }], owner: { name: "Ada" } };
    const withNulls = {
      ...{ title: "a", count: null, color: null, metadata: null },
      ...{ tags: [{ name: "x", rank: null }], owner: { name: "Ada", phone: null } },
    };
    expect((await post(missing)).status).toBe(201);
    expect((await post(withNulls)).status).toBe(201);
    const [first, second] = service.handled;
    expect(second?.body).toEqual({ ...missing, color: "white" });
    expect(first?.body).toEqual(second?.body);
    expect(first?.idempotencyKey?.fingerprint).toEqual(second?.idempotencyKey?.fingerprint);
    expect((await post({ title: "a", tags: null, owner: null })).status).toBe(201);
  });

  test("of a required field is 422, and so is one in a list or of an unknown field", async () => {
    const bad = { title: null, tags: [{ name: null }, null], owner: { name: null }, nothing: null };
    const response = await post(bad);
    expectFailure(response, 422, "validation_error", [
      ...["title", "tags[0].name", "tags[1]", "owner.name", "nothing"],
    ]);
    expect(response.body.error.details).toContainEqual({ path: "title", message: "is required" });
  });

  test("is data in metadata", async () => {
    const metadata = { color: null, nested: { size: null } };
    expect((await post({ title: "a", count: null, metadata })).status).toBe(201);
    const verbatim = new VerbatimJson(JSON.stringify(metadata));
    expect(service.handled[0]?.body).toEqual({ title: "a", color: "white", metadata: verbatim });
  });

  test("is removed from 50,000 fields", async () => {
    const tags = Array.from({ length: 50_000 }, () => ({ name: "x", rank: null }));
    expect((await post({ title: "a", tags })).status).toBe(201);
    const body = service.handled[0]?.body as { tags: object[] };
    expect(body.tags.every((tag) => Object.keys(tag).join() === "name")).toBe(true);
  });
});

test("null in a PATCH clears a field that may be empty, and is 422 for others", async () => {
  expect((await patch({ color: null })).status).toBe(200);
  expect(service.handled[0]?.body).toEqual({ color: null });
  expectFailure(await patch({ title: null }), 422, "validation_error", ["title"]);
});
