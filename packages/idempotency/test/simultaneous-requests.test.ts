// Requests with the same Idempotency-Key at the same moment on two replicas, even while their connections break: one takes
// effect, and all get its response.
import { randomUUID } from "node:crypto";
import type { ClientResponse } from "@tradepost/testing";
import { isReplayed, outcome, useTestNotes, waitingBackends } from "./support/test-notes.ts";

const REQUESTS = 12;

const notes = await useTestNotes();

type Tenant = ReturnType<typeof notes.openTenant>;
const send = ({ clientAt }: Tenant, path: string, body: object, url = notes.url) =>
  clientAt(url).post(path, body, { "idempotency-key": "k" });
const sendAll = (tenant: Tenant, path: string, bodyOf: (index: number) => object) =>
  Promise.all(
    Array.from({ length: REQUESTS }, (_, index) =>
      send(tenant, path, bodyOf(index), index % 2 === 0 ? notes.url : notes.otherUrl),
    ),
  );
const expectOneResponse = (responses: ClientResponse[], status: number) => {
  const seen = responses.map(({ status, text, headers }) => `${status} ${headers.get("etag")} ${text}`);
  expect([new Set(seen).size, responses[0]?.status]).toEqual([1, status]);
  expect(responses.filter(isReplayed)).toHaveLength(REQUESTS - 1);
};
const newNote = async ({ client }: Tenant): Promise<string> =>
  (await client.post("/v1/notes", { text: randomUUID() })).body.data.id;

describe(`of ${REQUESTS} requests under one key at the same moment`, () => {
  test("one creates its note although all their statements are already running", async () => {
    const tenant = notes.openTenant();
    const locked = await notes.lockNotes();
    const pending = sendAll(tenant, "/v1/notes", () => ({ text: "a" }));
    await locked.waiting(REQUESTS);
    await locked.release();
    expectOneResponse(await pending, 201);
    expect(await tenant.counts()).toEqual([1, 1]);
  });

  test("one takes effect although each could", async () => {
    const tenant = notes.openTenant();
    const path = `/v1/notes/${await newNote(tenant)}`;
    expectOneResponse(await sendAll(tenant, `${path}/append`, () => ({})), 200);
    expect((await tenant.client.post(`${path}/check`)).body.data.version).toBe(2);
    expect(await tenant.counts()).toEqual([1, 1]);
  });

  test("and of two bodies, one body is accepted and the other refused", async () => {
    const tenant = notes.openTenant();
    const bodyOf = (index: number) => ({ text: index < REQUESTS / 2 ? "one" : "other" });
    const responses = await sendAll(tenant, "/v1/notes", bodyOf);
    const winner = responses.find(({ status }) => status === 201)?.body.data;
    responses.forEach(({ status, body }, index) => {
      const isWinners = bodyOf(index).text === winner.text;
      expect([status, body.error?.code, body.data?.id]).toEqual(
        isWinners ? [201, undefined, winner.id] : [422, "idempotency_key_reused", undefined],
      );
    });
    expect(await tenant.counts()).toEqual([1, 1]);
  });

  test("one takes effect if the key's record has expired", async () => {
    const tenant = notes.openTenant();
    const id = await newNote(tenant);
    const path = `/v1/notes/${id}/append`;
    await send(tenant, path, {});
    await tenant.age("25 hours");
    const responses = await sendAll(tenant, path, () => ({}));
    expectOneResponse(responses, 200);
    expect(responses[0]?.body.data).toEqual({ id, version: 3 });
    expect(await tenant.counts()).toEqual([1, 1]);
  });
});

test("a request whose connection breaks in the middle gets 503, leaves no record, and succeeds when it is repeated", async () => {
  const tenant = notes.openTenant();
  const create = () => send(tenant, "/v1/notes", { text: "a" });
  const locked = await notes.lockNotes();
  const pending = create();
  const [pid] = await locked.waiting(1);
  await notes.owner.query("select pg_terminate_backend($1)", [pid]);
  expect(outcome(await pending)).toEqual([503, "service_unavailable"]);
  await locked.release();
  expect(await tenant.counts()).toEqual([0, 0]);
  expect([await create(), await create()].map(isReplayed)).toEqual([false, true]);
  expect(await tenant.counts()).toEqual([1, 1]);
});

test("of two requests at the same moment one takes effect although the connection of the other breaks", async () => {
  const tenant = notes.openTenant();
  const create = (url: string) => send(tenant, "/v1/notes", { text: "a" }, url);
  const locked = await notes.lockNotes();
  const pending = Promise.all([create(notes.url), create(notes.otherUrl)]);
  const [pid] = await locked.waiting(2);
  await notes.owner.query("select pg_terminate_backend($1)", [pid]);
  await locked.waiting(1);
  await locked.release();
  expect((await pending).map(({ status }) => status).sort()).toEqual([201, 503]);
  expect(isReplayed(await create(notes.url))).toBe(true);
  expect(await tenant.counts()).toEqual([1, 1]);
});

// The record is inserted after the action, so a request may run it again, but all get one response.
describe("an action that changes nothing when it is repeated", () => {
  let tenant: Tenant;
  let path: string;
  beforeEach(async () => {
    tenant = notes.openTenant();
    const { body } = await tenant.client.post("/v1/notes", { text: "a" });
    path = `/v1/notes/${body.data.id}/check`;
  });

  const check = (body: object = {}, at = path, url = notes.url) =>
    tenant.clientAt(url).post(at, body, { "idempotency-key": "k" });

  test("a repeated request gets the first response from every replica, and another one is refused", async () => {
    const first = await check();
    expect(outcome(first)).toEqual([200, false]);
    const again = await check({}, path, notes.otherUrl);
    expect([outcome(again), again.text]).toEqual([[200, true], first.text]);
    expect(outcome(await check({ more: "b" }))).toEqual([422, "idempotency_key_reused"]);
    const elsewhere = `/v1/notes/${randomUUID()}/check`;
    expect(outcome(await check({}, elsewhere))).toEqual([422, "idempotency_key_reused"]);
    expect(await tenant.counts()).toEqual([1, 1]);
  });

  /** Inserts a record for the key of `check` in a transaction that stays open: a request then waits after its action. */
  async function insertRecordOfTwin(fingerprint: Buffer, createdAt: string) {
    const twin = await notes.owner.connect();
    await twin.query("begin");
    await twin.query(
      `insert into idempotency_records (tenant_id, route, key, fingerprint, answer, created_at)
       values ($1, 'POST /v1/notes/:id/check', 'k', $2, '{"status":200,"body":{"success":true,"data":"the twin"}}',
               now() - $3::interval)`,
      [tenant.tenantId, fingerprint, createdAt],
    );
    return twin;
  }

  const fingerprintOfCheck = async (): Promise<Buffer> => {
    await check();
    const { rows } = await notes.owner.query(
      "delete from idempotency_records where tenant_id = $1 returning *",
      [tenant.tenantId],
    );
    return rows[0].fingerprint;
  };

  const another = async () => Buffer.alloc(32);
  const itsOwn = expect.objectContaining({ version: 1 });

  test.each([
    ["the record of its twin", "gets the twin's response", fingerprintOfCheck, "0", [200, true], "the twin"],
    ["the record of another request", "is refused", another, "0", [422, "idempotency_key_reused"], undefined],
    [
      "a record that has expired",
      "gets its own response",
      fingerprintOfCheck,
      "24 hours",
      [200, false],
      itsOwn,
    ],
  ] as [string, string, () => Promise<Buffer>, string, unknown[], unknown][])(
    "a request that meets %s after its action %s",
    async (_record, _gets, fingerprintOf, age, expected, data) => {
      const twin = await insertRecordOfTwin(await fingerprintOf(), age);
      const pending = check();
      await waitingBackends(notes.owner, 1);
      await twin.query("commit");
      twin.release();
      const response = await pending;
      expect([outcome(response), response.body.data]).toEqual([expected, data]);
    },
  );
});
