// `compareLedger` of @tradepost/client and the programs of docs/reconcile compare a receiver with a platform. They find
// deliveries that the receiver lacks, and deliveries that the platform does not know.
import { spawn, spawnSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { mkdtempDisposable } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { text } from "node:stream/consumers";
import { createClient, ledgerDigest, type ReceivedRow } from "@tradepost/client";
import { startReceiver, until } from "@tradepost/testing";
import { publishMessages } from "../support/broker-messages.ts";
import { sharedPlatform } from "../support/test-platform.ts";

const dayBefore = (days: number) =>
  new Date(Date.now() - days * 24 * 60 * 60 * 1_000).toISOString().slice(0, 10);
const DAY = dayBefore(2);
/** More than one page. */
const IN_HOUR_NINE = 130;

/** The number of responses that the client has read. */
let responses = 0;

const [platform, receiver] = await Promise.all([sharedPlatform(), startReceiver()]);
const tenant = await platform.createTenant();
const { apiKey } = tenant;
const { id: subscriptionId } = await tenant.subscribe(`${receiver.url}/hooks`);
const parseJson = (text: string) => {
  responses += 1;
  return JSON.parse(text);
};
const tradepost = createClient({ url: platform.url, apiKey, parseJson });
const times = [
  ...Array.from(
    { length: IN_HOUR_NINE },
    (_, index) => `${DAY}T09:${String(index % 60).padStart(2, "0")}:00Z`,
  ),
  ...[`${DAY}T00:00:00.000Z`, `${DAY}T10:00:00.000Z`, `${DAY}T23:59:59.999Z`, new Date().toISOString()],
];
await publish(tenant.tenantId, times);
await until("every delivery", () => receiver.received.length === times.length);
/** The rows that the receiver has stored. */
const rows = receiver.received.map(({ headers }) => ({
  id: String(headers["x-service-delivery"]),
  occurredAt: String(headers["x-service-event-time"]),
}));
await until("all to be recorded", async () => {
  const { types } = await tradepost.ledger.get({ subscriptionId, day: DAY });
  const { types: todays } = await tradepost.ledger.get({ subscriptionId, day: dayBefore(0) });
  return types[0]?.delivered === times.length - 1 && todays[0]?.delivered === 1;
});
afterAll(() => receiver.stop());

/** Publishes events as the relay of the content service does. */
async function publish(tenantId: string, times: readonly string[]): Promise<void> {
  await publishMessages(platform.broker.amqpUrl, (channel) => {
    for (const occurred_at of times) {
      const id = randomUUID();
      const redirect = { id, from: "/a", to: "/b", type: 301, createdAt: occurred_at, version: 1 };
      const event = {
        id,
        type: "redirect.added",
        tenant_id: tenantId,
        occurred_at,
        request_id: id,
        actor: { type: "user", id: "u-1", name: "Ada" },
        data: { redirect },
      };
      const options = { persistent: true, messageId: id };
      channel.publish("platform.events", event.type, Buffer.from(JSON.stringify(event)), options);
    }
  });
}

/** Compares, and returns the differences and the number of requests. */
async function compare(given: Iterable<ReceivedRow> | AsyncIterable<ReceivedRow>, day = DAY) {
  responses = 0;
  const { isEqual, missing, unknown, ledger, ...own } = await tradepost.compareLedger({
    ...{ subscriptionId, day, rows: given },
  });
  expect(isEqual).toBe(missing.length === 0 && unknown.length === 0);
  expect(ledger).toMatchObject({ day, subscriptionId });
  return { ...own, missing: missing.map(({ id }) => id).sort(), unknown: unknown.toSorted(), responses };
}

const EQUAL = { missing: [], unknown: [], responses: 1 };
const idsOf = (some: readonly ReceivedRow[]) => some.map(({ id }) => id).sort();
const atHour = (hour: string) => rows.filter(({ occurredAt }) => occurredAt.startsWith(`${DAY}T${hour}`));
const ofDay = rows.filter(({ occurredAt }) => occurredAt.startsWith(DAY));

test("equal rows need one request, in any order, repeated, and with those of other days", async () => {
  async function* stream() {
    yield* rows.toReversed();
  }
  for (const given of [rows, ofDay, [...rows, ...rows.toReversed()], stream()])
    expect(await compare(given)).toEqual({
      ...EQUAL,
      ...{ digest: ledgerDigest(idsOf(ofDay)), received: IN_HOUR_NINE + 3 },
    });
});

test("rows that are missing are found, with their event, in the pages of the hours that differ", async () => {
  const [first, ...others] = atHour("09");
  const lost = [first, others.at(-1), ...atHour("23")].filter((row) => row !== undefined);
  const { missing } = await tradepost.compareLedger({
    ...{ subscriptionId, day: DAY, rows: rows.filter((row) => !lost.includes(row)) },
  });
  expect(missing).toHaveLength(3);
  expect(missing).toContainEqual({
    ...{ id: atHour("23")[0]?.id, eventId: expect.any(String), type: "redirect.added" },
    occurredAt: `${DAY}T23:59:59.999Z`,
  });
  // One request for the day, 24 for its hours, and one for a second page.
  expect(await compare(rows.filter((row) => !lost.includes(row)))).toMatchObject({
    ...{ missing: idsOf(lost), unknown: [], responses: 1 + 24 + 1 },
  });
  expect(await compare([])).toMatchObject({ received: 0, missing: idsOf(ofDay), unknown: [] });
});

test("rows that the platform does not know are named, also with others missing in the same hour", async () => {
  const strange = { id: randomUUID(), occurredAt: new Date(`${DAY}T10:59:59.999Z`) };
  const alone = { id: randomUUID(), occurredAt: new Date(`${DAY}T05:00:00.000Z`) };
  expect(await compare([...rows, strange, alone, strange])).toMatchObject({
    ...{ missing: [], unknown: idsOf([strange, alone]) },
  });
  const without = rows.filter((row) => !atHour("10").includes(row));
  expect(await compare([...without, strange])).toMatchObject({
    ...{ missing: idsOf(atHour("10")), unknown: [strange.id] },
  });
});

test("rows swapped between hours are neither missing nor unknown", async () => {
  const [ten, midnight] = [atHour("10")[0], atHour("00")[0]];
  if (ten === undefined || midnight === undefined) throw new Error("no rows");
  const swapped = [
    ...rows.filter((row) => row !== ten && row !== midnight),
    ...[
      { ...ten, occurredAt: midnight.occurredAt },
      { ...midnight, occurredAt: ten.occurredAt },
    ],
  ];
  expect(await compare(swapped)).toMatchObject(EQUAL);
  const lost = atHour("23");
  expect(await compare(swapped.filter((row) => !lost.includes(row)))).toMatchObject({
    ...{ missing: idsOf(lost), unknown: [] },
  });
});

test("an empty day is equal to no rows", async () => {
  expect(await compare(rows, dayBefore(1))).toEqual({ ...EQUAL, digest: "0".repeat(64), received: 0 });
});

test("today is compared as far as it has come", async () => {
  const today = dayBefore(0);
  const own = rows.filter(({ occurredAt }) => occurredAt.startsWith(today));
  expect(await compare(own, today)).toMatchObject(EQUAL);
  expect(await compare([], today)).toMatchObject({ missing: idsOf(own), unknown: [] });
  const late = { id: randomUUID(), occurredAt: `${today}T23:59:59.999Z` };
  expect(await compare([...own, late], today)).toMatchObject({ missing: [], unknown: [late.id] });
});

test("a day that cannot be compared, and rows that are none, are refused", async () => {
  const refused = (day: string, given: unknown[] = []) =>
    tradepost.compareLedger({ subscriptionId, day, rows: given as ReceivedRow[] });
  await expect(refused("2026-02-30")).rejects.toMatchObject({ code: "validation_error" });
  await expect(refused(dayBefore(-1))).rejects.toMatchObject({ code: "validation_error" });
  await expect(refused(dayBefore(40))).rejects.toMatchObject({ code: "not_found" });
  await expect(refused(DAY, [{ id: "1" }])).rejects.toThrow(TypeError);
  const signal = AbortSignal.abort();
  await expect(tradepost.compareLedger({ subscriptionId, day: DAY, rows }, { signal })).rejects.toMatchObject(
    { code: "aborted" },
  );
});

const DOCS = path.resolve(import.meta.dirname, "../../docs");
const PROGRAMS = path.join(DOCS, "reconcile");
const guide = readFileSync(path.join(DOCS, "receiving-webhooks.md"), "utf8");

/** Runs a program in its own folder with the command in its first lines. The ids are its input. Resolves with its output. */
async function reconcile(file: string, ids: readonly string[]): Promise<string> {
  const code = readFileSync(path.join(PROGRAMS, file), "utf8");
  const [, name = "", command = ""] = /^(?:\/\/|#) Save as (\S+); run with: (.+)$/m.exec(code) ?? [];
  await using folder = await mkdtempDisposable(path.join(tmpdir(), "tradepost-reconcile-"));
  writeFileSync(path.join(folder.path, name), code);
  const own = {
    TRADEPOST_URL: platform.url,
    TRADEPOST_API_KEY: apiKey,
    SUBSCRIPTION_ID: subscriptionId,
    DAY,
  };
  const program = spawn("bash", ["-c", command], {
    cwd: folder.path,
    env: { ...process.env, ...WITH_THIS_NODE, ...own },
    stdio: ["pipe", "pipe", "inherit"],
  });
  program.stdin.end(ids.map((id) => `${id}\n`).join(""));
  const [output, [exitCode]] = await Promise.all([text(program.stdout), once(program, "close")]);
  return exitCode === 0 ? output : `failed with ${exitCode}`;
}

const WITH_THIS_NODE = {
  PATH: `${path.dirname(process.execPath)}${path.delimiter}${process.env.PATH}`,
};
const isInstalled = (command: string) =>
  spawnSync("bash", ["-c", command], { env: { ...process.env, ...WITH_THIS_NODE } }).status === 0;
// A command for each program, which succeeds if the machine can run the program.
const NEEDS: Readonly<Record<string, string>> = {
  ".mts": "node --version",
  ".py": "python3 --version",
  ".go": "go version",
  ".php": "php --version",
  ".rb": "ruby -e 'require \"net/http\"'",
};

test("the guide has a program in each of five languages", () => {
  expect(
    readdirSync(PROGRAMS)
      .map((file) => path.extname(file))
      .sort(),
  ).toEqual(Object.keys(NEEDS).sort());
});

describe.each(readdirSync(PROGRAMS))("the guide's program %s", (file) => {
  const needs = NEEDS[path.extname(file)] ?? "false";
  const testIfInstalled = isInstalled(needs) ? test : test.skip;

  test("is named by the guide", () => expect(guide).toContain(`](reconcile/${file})`));

  testIfInstalled(`agrees with the ledger, and notices what differs (if "${needs}" succeeds)`, async () => {
    const ids = ofDay.map(({ id }) => id);
    expect(await reconcile(file, [...ids.toReversed(), ...ids.slice(0, 5)])).toBe("equal closed\n");
    expect(await reconcile(file, ids.slice(1))).toBe("different closed\n");
    expect(await reconcile(file, [])).toBe("different closed\n");
  });
});
