import { Socket } from "node:net";
import { newId } from "@tradepost/runtime";
import { csvLine, type ExportQuery, exporter } from "./export.ts";
import { principalNamed } from "./principal.ts";

const PAGES = 1_000;
const at = new Date(0);
const ids = Array.from({ length: PAGES }, () => newId());

describe("an export", () => {
  const pagesRead: string[] = [];
  const wanted = {
    name: "notes",
    columns: ["id", "text"],
    lines: ({ id }: { id: string }) => [[id, "=x"]],
    readPage: async (after: { id: string } | null) => {
      const index = after === null ? 0 : ids.indexOf(after.id) + 1;
      const id = ids[index] ?? "";
      pagesRead.push(id);
      return {
        rows: Array.from({ length: 100 }, () => ({ id })),
        next: index === PAGES - 1 ? null : { id, createdAt: at },
      };
    },
    find: async (id: string) => (ids.includes(id) ? { id, createdAt: at } : null),
  };
  const request = (query: ExportQuery, tenantId = newId()) => ({
    query,
    principal: principalNamed("Ada", "viewer", tenantId),
    raw: { socket: new Socket() } as never,
    inTurn: <Result>(work: () => Promise<Result>) => work(),
  });

  test("reads no further than its client does", async () => {
    pagesRead.length = 0;
    const { stream } = await exporter()(request({ format: "csv" }), wanted);
    const chunks = stream?.[Symbol.asyncIterator]();
    for (let count = 0; count < 10; count += 1) await chunks?.next();
    expect(pagesRead.length).toBeLessThan(20);
    stream?.destroy();
  });

  test("has every row once, and the rest of one that was interrupted", async () => {
    const respond = exporter();
    const textOf = async (query: ExportQuery) => {
      const { stream } = await respond(request(query), wanted);
      return (await stream?.toArray())?.join("") ?? "";
    };
    const csv = await textOf({ format: "csv" });
    expect(csv).toBe(`id,text\r\n${ids.map((id) => `${id},'=x\r\n`.repeat(100)).join("")}`);
    expect(await textOf({ format: "ndjson", after: ids.at(-2) })).toBe(
      `{"id":"${ids.at(-1)}"}\n`.repeat(100),
    );
  });

  test.each([
    ["de-AT", ";", "1234,5"],
    ["pt-PT", ";", "1234,5"],
    ["en-US", ",", "1234.5"],
    ["de-CH", ",", "1234.5"],
    ["ar-EG", ",", "1234.5"],
    ["hi-Deva-IN-u-nu-deva", ",", "1234.5"],
  ])("for people of %s has a byte order mark and their signs", async (locale, separator, number) => {
    const lines = () => [[1234.5, "a;b", "c,d", "-1"]];
    const readPage = async () => ({ rows: [{ id: "" }], next: null });
    const { stream } = await exporter()(request({ format: "csv", locale }), { ...wanted, lines, readPage });
    const texts = separator === ";" ? ['"a;b"', "c,d"] : ["a;b", '"c,d"'];
    expect((await stream?.toArray())?.join("")).toBe(
      `\ufeffid${separator}text\r\n${[number, ...texts, "'-1"].join(separator)}\r\n`,
    );
    await expect(exporter()(request({ format: "ndjson", locale }), wanted)).rejects.toMatchObject({
      details: [{ path: "locale", message: "is for the format csv" }],
    });
  });

  test("is refused after an unknown id", async () => {
    for (const after of [newId(), "unknown"]) {
      await expect(exporter()(request({ format: "csv", after }), wanted)).rejects.toMatchObject({
        code: "validation_error",
        details: [{ path: "after", message: "is no id of this list" }],
      });
    }
  });

  test("waits for one of its tenant's to end, and another tenant's goes on", async () => {
    const respond = exporter();
    const tenantId = newId();
    const [first, second] = await Promise.all(
      [1, 2].map(() => respond(request({ format: "csv" }, tenantId), wanted)),
    );
    const third = respond(request({ format: "csv" }, tenantId), wanted);
    const other = await respond(request({ format: "csv" }), wanted);
    first?.stream?.destroy();
    const last = await third;
    for (const { stream } of [second, other, last].filter((one) => one !== undefined)) stream?.destroy();
  });
});

test.each([
  ["texts, numbers and times", ["a", 1.5, new Date(0)], "a,1.5,1970-01-01T00:00:00.000Z"],
  ["nothing", [undefined, null, ""], ",,"],
  [
    "commas, quotes and line breaks",
    ["a,b", 'say "x"', "a\nb", "a\r\nb"],
    '"a,b","say ""x""","a\nb","a\r\nb"',
  ],
  [
    "what a spreadsheet would compute",
    ["=1+1", "+351", "-1", "@x", '=a,"b"'],
    `'=1+1,'+351,'-1,'@x,"'=a,""b"""`,
  ],
  ["full-width signs", ["＝1", "＋1", "－1", "＠x"], "'＝1,'＋1,'－1,'＠x"],
  [
    "signs after what a spreadsheet ignores",
    [" =1", "\u00a0-1", "\ufeff=1", "\u200b +1"],
    "' =1,'\u00a0-1,'\ufeff=1,'\u200b +1",
  ],
  [
    "signs after what may separate cells",
    ["x;=1", "\t=1", "x\t ＝1;@y", ";;-1"],
    "'x;'=1,'\t'=1,'x\t' ＝1;'@y,';;'-1",
  ],
  ["numbers as they are", [-1.5], "-1.5"],
  ["signs within a text", ["a=b", "a-b", "a; b"], "a=b,a-b,a; b"],
  ["blanks and letters as they are", [" a ", "é😀"], " a ,é😀"],
  ["an object as JSON", [{ a: [1] }], '"{""a"":[1]}"'],
])("%s", (_, cells, line) => expect(csvLine(cells)).toBe(`${line}\r\n`));
