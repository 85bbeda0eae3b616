// The digest of a receiver's rows. The test needs no platform.
import { createHash, randomUUID } from "node:crypto";
import { ledgerDigest, type ReceivedRow, readRows } from "./received-rows.ts";

const ZEROS = "0".repeat(64);
const DAY = "2026-11-24";
const row = (time: string, id = randomUUID()) => ({ id, occurredAt: `${DAY}T${time}Z` });
const hash = (id: string) => createHash("sha256").update(id, "ascii").digest("hex");

test("the digest of nothing is zeros, and that of one id its SHA-256", () => {
  expect(ledgerDigest([])).toBe(ZEROS);
  const id = "0198c5b3-2f4b-7a10-9d3c-1f2e3d4c5b6a";
  expect(ledgerDigest([id])).toBe(hash(id));
  expect(ledgerDigest([id.toUpperCase()])).toBe(hash(id));
});

test("the digest is a sum of 256 bits, which overflows, in any order, with each id once", () => {
  const ids = Array.from({ length: 1_000 }, () => randomUUID() as string);
  const sum = ids.reduce((total, id) => total + BigInt(`0x${hash(id)}`), 0n);
  expect(sum).toBeGreaterThan(2n ** 256n);
  const expected = (sum % 2n ** 256n).toString(16).padStart(64, "0");
  expect(ledgerDigest(ids)).toBe(expected);
  expect(ledgerDigest([...ids.toReversed(), ...ids])).toBe(expected);
  expect(ledgerDigest(ids.slice(1))).not.toBe(expected);
});

test("rows are read from an iterable or an async iterable, with any kind of time, by their hours in UTC", async () => {
  const [early, late] = [row("00:00:00.000"), row("23:59:59.999")];
  const rows: ReceivedRow[] = [
    early,
    { ...late, occurredAt: new Date(late.occurredAt) },
    row("09:30:00"),
    { id: randomUUID(), occurredAt: `${DAY}T11:00:00+02:00` },
  ];
  async function* stream() {
    yield* rows;
  }
  for (const given of [rows, new Set(rows), stream()]) {
    const read = await readRows(given, DAY);
    expect([...read.hourOf.values()]).toEqual(["T00", "T23", "T09", "T09"].map((hour) => DAY + hour));
    expect(read.digest).toBe(ledgerDigest(rows.map(({ id }) => id)));
    expect(read.digestOfHour(`${DAY}T00`)).toBe(ledgerDigest([early.id]));
    expect(read.digestOfHour(`${DAY}T09`)).toBe(ledgerDigest(rows.slice(2).map(({ id }) => id)));
    expect(read.digestOfHour(`${DAY}T10`)).toBe(ZEROS);
  }
});

test("rows of other days are ignored, and an id that comes again counts once, at its first time", async () => {
  const first = row("10:00:00");
  const others = [`${DAY}T00:30:00+01:00`, "2026-11-25T00:00:00.000Z"];
  const read = await readRows(
    [
      first,
      { ...first, id: first.id.toUpperCase() },
      row("11:00:00", first.id),
      ...others.map((occurredAt) => ({ id: randomUUID(), occurredAt })),
    ],
    DAY,
  );
  expect([...read.hourOf]).toEqual([[first.id, `${DAY}T10`]]);
  expect([read.digest, read.digestOfHour(`${DAY}T10`)]).toEqual([hash(first.id), hash(first.id)]);
});

test("a row without a delivery id or a complete time is refused", async () => {
  const reads = (given: unknown) => readRows([given as ReceivedRow], DAY);
  for (const id of ["", "7", undefined, `${randomUUID()} `, randomUUID().replaceAll("-", "")])
    await expect(reads({ ...row("10:00:00"), id })).rejects.toThrow(/^id: must be the UUID/);
  for (const occurredAt of ["", DAY, `${DAY}T10:00:00`, `${DAY}T25:00:00Z`, undefined, new Date(Number.NaN)])
    await expect(reads({ id: randomUUID(), occurredAt })).rejects.toThrow(/^occurredAt: must be a Date/);
  expect(() => ledgerDigest(["x"])).toThrow('id: must be the UUID of a delivery, not "x"');
});
