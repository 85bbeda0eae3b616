// withKeyOfRepeatable, for an action that changes nothing when it is repeated: the record is inserted after it, so a request
// may run the action again, but all get one response. What it shares with other actions: repeated-requests.test.ts.
import { randomUUID } from "node:crypto";
import { outcome, useTestNotes, waitingBackends } from "./support/test-notes.ts";

const ROUTE = "POST /v1/notes/:id/check";

const notes = await useTestNotes();
let tenant: ReturnType<typeof notes.openTenant>;
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
     values ($1, $2, 'k', $3, '{"status":200,"body":{"success":true,"data":"the twin"}}', now() - $4::interval)`,
    [tenant.tenantId, ROUTE, fingerprint, createdAt],
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
