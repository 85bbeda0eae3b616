// GET /v1/entries/export and GET /v1/redirects/export (interface §19).
import { sharedTestContent } from "./support/test-content.ts";

// More than a page.
const MANY = 600;

const content = await sharedTestContent();

describe("an export", () => {
  test("of redirects has each once, the oldest first, and goes on after one", async () => {
    const client = content.newTenant();
    const { tenantId } = client;
    await content.sql(
      `insert into redirects (tenant_id, id, from_path, to_target, type, created_at)
       select $1, gen_random_uuid(), '/old-' || n, '/=new-' || n, 301, timestamptz '2026-01-01' + (n / 10) * interval '1 second'
         from generate_series(1, ${MANY}) n`,
      [tenantId],
    );
    const { status, text, headers } = await client.get("/v1/redirects/export");
    expect(status).toBe(200);
    expect(headers.get("content-disposition")).toBe('attachment; filename="redirects.csv"');
    const [header, ...lines] = text.split("\r\n").slice(0, -1);
    expect([header, lines.length, new Set(lines).size]).toEqual(["id,from,to,type,createdAt", MANY, MANY]);
    const times = lines.map((line) => line.split(",").at(-1));
    expect(times).toEqual([...times].sort());
    const id = lines[499]?.split(",")[0];
    const rest = await client.get(`/v1/redirects/export?format=ndjson&after=${id}`);
    expect(rest.text.split("\n").slice(0, -1)).toHaveLength(MANY - 500);
    const one = await client.get("/v1/redirects/export?from=/old-7&format=ndjson");
    expect(one.text).toContain('"from":"/old-7"');
    expect((await client.get(`/v1/redirects/export?after=${tenantId}`)).status).toBe(422);
  });

  test("of entries has them as the list shows them, with its filters", async () => {
    const client = content.newTenant();
    await client.put("/v1/content-types/page", { name: "Page", fields: [{ key: "title", type: "text" }] });
    for (const title of ["=one", "two"]) {
      const { status } = await client.post("/v1/entries", { type: "page", data: { title } });
      expect(status).toBe(201);
    }
    const { body } = await client.get("/v1/entries");
    const { text } = await client.get("/v1/entries/export?format=ndjson");
    const lines = text.split("\n").slice(0, -1);
    expect(lines.map((line) => JSON.parse(line))).toEqual(body.data.reverse());
    const csv = await client.get("/v1/entries/export?format=csv");
    expect(csv.text).toContain('"{""title"":""=one""}"');
    for (const status of ["", "&status=draft"]) {
      const live = await client.get(`/v1/entries/export?format=ndjson&version=published${status}`);
      expect(live.text).toBe("");
    }
    expect((await client.get("/v1/entries/export?limit=1")).status).toBe(422);
  });
});
