import { createHash } from "node:crypto";
import { verifyAuditLog } from "./verify-audit-log.ts";

/** Written apart from the code under test: the keys of these entries are in order. */
function chainOf(count: number) {
  let hash = "0".repeat(64);
  return Array.from({ length: count }, (_, index) => {
    const entry = { action: `a${index}`, changes: { a: [1, { b: "é\u0001" }], z: 0.5 }, n: index + 1 };
    hash = createHash("sha256")
      .update(`${hash}\n${JSON.stringify(entry)}`)
      .digest("hex");
    return JSON.stringify({ hash, n: entry.n, changes: entry.changes, action: entry.action });
  });
}

test("a whole chain is right, with its head, from any iterable", async () => {
  const lines = chainOf(5);
  const { hash } = JSON.parse(lines[4] ?? "");
  async function* stream() {
    yield* [...lines, "", " "];
  }
  for (const given of [lines, stream()])
    expect(await verifyAuditLog(given, { head: { n: 5, hash } })).toEqual({
      ok: true,
      entries: 5,
      firstFault: null,
    });
  expect(await verifyAuditLog([])).toEqual({ ok: true, entries: 0, firstFault: null });
  expect(await verifyAuditLog([], { head: { n: 0, hash: "0".repeat(64) } })).toMatchObject({ ok: true });
});

test("a head tells a cut end, entries after it, and a chain that was written again", async () => {
  const lines = chainOf(5);
  const { hash } = JSON.parse(lines[3] ?? "");
  const faultWith = async (given: string[], n: number, ofHash = hash) =>
    (await verifyAuditLog(given, { head: { n, hash: ofHash } })).firstFault;
  expect(await faultWith(lines.slice(0, 3), 4)).toEqual({ n: 4, kind: "removed" });
  expect(await faultWith(lines, 4)).toEqual({ n: 5, kind: "added" });
  expect(await faultWith(lines.slice(0, 4), 4, "f".repeat(64))).toEqual({ n: 4, kind: "changed" });
});

const LINES = chainOf(9);
const places = [...LINES.keys()];
const faultIn = async (lines: readonly string[]) => (await verifyAuditLog(lines)).firstFault;

test("any change of any line is named", async () => {
  const changes = [
    (line: string) => line.replace('"a":', '"b":'),
    (line: string) => line.replace(/"n":\d+/, '"n":99'),
    (line: string) => line.replace(/"hash":"./, '"hash":"x'),
    (line: string) => line.replace("0.5", "0.25"),
    (line: string) => line.slice(0, -1),
    (line: string) => line.replace('"z":', '"z" : 9,"z":'),
    (line: string) => line.replace("{", '{"\\u0061ction":"x",'),
    () => "null",
  ];
  for (const at of places)
    for (const changed of changes)
      expect(await faultIn(LINES.with(at, changed(LINES[at] ?? "")))).toEqual({ n: at + 1, kind: "changed" });
});

test("removed lines are named; without a head not at the end", async () => {
  for (const at of places)
    for (let count = 1; at + count < LINES.length; count += 1)
      expect(await faultIn(LINES.toSpliced(at, count))).toEqual({ n: at + 1, kind: "removed" });
});

test("a forged line and a copy of any other are named", async () => {
  for (const at of places)
    for (const copied of places) {
      const copy = LINES[copied] ?? "";
      const forged = copy.replace(/"n":\d+/, `"n":${at + 1}`).replace("0.5", "7");
      expect(await faultIn(LINES.toSpliced(at, 0, forged))).toEqual({ n: at + 1, kind: "added" });
      const n = copied === at ? at + 2 : at + 1;
      expect(await faultIn(LINES.toSpliced(at, 0, copy))).toEqual({ n, kind: "added" });
    }
});

test("of any two swapped lines the first is named", async () => {
  for (const first of places)
    for (const second of places.slice(first + 1)) {
      const lines = LINES.with(first, LINES[second] ?? "").with(second, LINES[first] ?? "");
      expect(await faultIn(lines)).toEqual({ n: first + 1, kind: "moved" });
    }
});
