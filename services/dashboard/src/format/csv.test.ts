import { readCsv, textOfFile, writeCsv } from "./csv.ts";

test("reads quotes, line breaks in cells, and the number of each line", () => {
  const csv = readCsv('\u{feff}id,name\r\n1,"Mug, ""blue""\nlarge"\r\n\r\n2\r\n');
  expect(csv).toEqual({
    columns: ["id", "name"],
    rows: [
      { line: 2, cells: ["1", 'Mug, "blue"\nlarge'] },
      { line: 5, cells: ["2", ""] },
    ],
  });
});

test.each([
  ["a;b;c\n1,5;2;3", ["1,5", "2", "3"]],
  ["a\tb\n1\t2", ["1", "2"]],
  ['"a;x",b\n1,2', ["1", "2"]],
])("finds the separator of %j", (text, cells) => {
  expect(readCsv(text)?.rows[0]?.cells).toEqual(cells);
});

test("what has no columns is no CSV", () => {
  expect([readCsv(""), readCsv("words"), readCsv("\n\n")]).toEqual([null, null, null]);
});

test("reads what it writes", () => {
  const rows = [
    ["name", "note"],
    ["=1+1", 'a "b", c\nd'],
  ];
  expect(writeCsv(rows)).toBe('name,note\r\n\'=1+1,"a ""b"", c\nd"\r\n');
  expect(readCsv(writeCsv(rows))?.rows[0]?.cells).toEqual(rows[1]);
});

test.each([
  ["=1", "'=1"],
  ["+1", "'+1"],
  ["-1", "'-1"],
  ["@a", "'@a"],
  ["＝1", "'＝1"],
  ["＋1", "'＋1"],
  ["－1", "'－1"],
  ["＠a", "'＠a"],
  ["x;=1", "'x;'=1"],
  ["x; =1;-2", "'x;' =1;'-2"],
  ["x\t@a", "'x\t'@a"],
  ["x\t\t=1", "'x\t\t'=1"],
  ['="0012"', '\'="0012"'],
  ["a=1", "a=1"],
  ["'a", "'a"],
  ["'a;'b", "'a;'b"],
  ["x;'=1", "x;'=1"],
  ["1;2", "1;2"],
])("reads %j, which it writes as %s so that no spreadsheet evaluates it", (text, written) => {
  const csv = writeCsv([
    ["a", "b"],
    [text, ""],
  ]);
  expect(csv.replaceAll('""', '"')).toContain(written);
  expect(readCsv(csv)?.rows[0]?.cells).toEqual([text, ""]);
});

test.each([" =1", "\u{feff}=1", "\u{200b}=1", "\u{a0}-1", "\t=1", "\n=1"])(
  "guards the formula of %j after what a spreadsheet skips",
  (text) => expect(writeCsv([[text]])).toMatch(/^"?'/),
);

test("guards and reads a cell with many blanks in linear time", () => {
  const blanks = " ".repeat(200_000);
  for (const text of [`${blanks}x`, `x;${blanks}x`, `x${"\t".repeat(200_000)}x`, `x${";".repeat(200_000)}`]) {
    const csv = writeCsv([
      ["a", "b"],
      ["1", text],
    ]);
    expect(csv).toContain(text);
    expect(readCsv(csv)?.rows).toHaveLength(1);
  }
});

test.each([
  ["sep=;\r\na;b\r\n1;2", 3],
  ['"sep=|"\na|b\n1|2', 3],
  ["\u{feff}SEP=,\r\na,b\r\n1,2", 3],
  ["sep=\t\ra\tb\r1\t2\r", 3],
  ["a;b\r1;2\r", 2],
  ["a,b\r\r\n1,2\r\r\n", 3],
])("reads the first line and the line ends of %j", (text, line) => {
  expect(readCsv(text)).toEqual({ columns: ["a", "b"], rows: [{ line, cells: ["1", "2"] }] });
});

test("reads the zeros that other exports keep, quoted or not", () => {
  const csv = readCsv('a;="b";c\n="0012";"=""0012""";"=""a """"b"""""""\n');
  expect(csv?.columns).toEqual(["a", "b", "c"]);
  expect(csv?.rows[0]?.cells).toEqual(["0012", "0012", 'a "b"']);
});

test("says where a quote does not end, and which line has more values than names", () => {
  expect(readCsv('a,b\n1,"2\n3,4\n')?.fault).toBe("A quote that begins in line 2 does not end.");
  expect(readCsv("a,b\n1,2,\n3,4,5\n")?.fault).toBe("Line 3 has more values than the first line has names.");
  expect(readCsv("a,b\n1,2\n")?.fault).toBeUndefined();
});

test("reads the encodings of spreadsheets", () => {
  const bytes = (...values: number[]) => new Uint8Array(values).buffer;
  expect(textOfFile(new TextEncoder().encode("Müller").buffer)).toBe("Müller");
  expect(textOfFile(bytes(0x4d, 0xfc))).toBe("Mü");
  expect(textOfFile(bytes(0xff, 0xfe, 0xfc, 0x00))).toBe("ü");
  expect(textOfFile(bytes(0xfe, 0xff, 0x00, 0xfc))).toBe("ü");
});
