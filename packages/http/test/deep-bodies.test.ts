// JSON that is nested too deeply is a client error at any depth, even with numbers that need the exact parser.
import type { VerbatimJson } from "@tradepost/json";
import { JSON_TYPE, NOTE_ID, useNotesService } from "./support/notes-service.ts";

const DEPTHS = [70, 101, 1_500, 5_000, 100_000];
// The second number has too many digits for a double, so it selects the exact parser.
const INNERMOST = ["1", "12345678901234567890"];
const nested = (depth: number, inner: string) =>
  `${'{"a":['.repeat(depth / 2)}${inner}${"]}".repeat(depth / 2)}`;
const cases = DEPTHS.flatMap((depth) => INNERMOST.map((inner) => [depth, inner] as const));

const service = await useNotesService();

describe.each(cases)("%i levels around %s", (depth, inner) => {
  test.each([
    ["POST", "/v1/notes", {}],
    ["POST", "/v1/notes", { "idempotency-key": "mine" }],
    ["PATCH", `/v1/notes/${NOTE_ID}`, {}],
  ])("are 422 as the body of %s %s, with the headers %j", async (method, path, headers) => {
    const bodies = [nested(depth, inner), `{"title":"a","metadata":${nested(depth, inner)}}`];
    for (const body of bodies) {
      const response = await service.send(method, path, body, { "content-type": JSON_TYPE, ...headers });
      expect([response.status, response.body.error.code]).toEqual([422, "validation_error"]);
    }
    expect(service.handled).toHaveLength(0);
  });

  test("are 413 where the body is limited further and they are larger", async () => {
    const response = await service.send("POST", "/v1/open", nested(depth, inner));
    expect(response.status).toBe(depth > 1_000 ? 413 : 422);
  });
});

describe("the fault of deep nesting", () => {
  const withMetadata = (depth: number, inner = "1") =>
    service.send("POST", "/v1/notes", `{"title":"a","metadata":${nested(depth, inner)}}`);

  test("names the field, or the body if it is extremely deep", async () => {
    expect((await withMetadata(70)).body.error.details).toEqual([
      {
        path: expect.stringMatching(/^metadata\.a\[0\]\.a\[0\]/),
        message: "is nested deeper than 64 levels",
      },
    ]);
    for (const depth of [100, 1_500]) {
      expect((await withMetadata(depth)).body.error.details).toEqual([
        { path: "body", message: "is nested deeper than 100 levels" },
      ]);
    }
  });

  test.each(INNERMOST)(
    "is not found up to 64 levels around %s, which arrive digit for digit",
    async (inner) => {
      const text = nested(62, inner);
      expect((await withMetadata(62, inner)).status).toBe(201);
      const { metadata } = (service.handled[0]?.body ?? {}) as { metadata?: VerbatimJson };
      expect(metadata?.text).toBe(text);
      expect((await withMetadata(64, inner)).status).toBe(422);
    },
  );
});
