// newman runs the Postman collection of docs/collections from top to bottom, as the owner of a new shop. Every response matches
// the description, except those that depend on the shop, which are listed here.
import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { picture } from "./support/examples/picture.ts";
import { programOf } from "./support/install-client.ts";
import { startTestPlatform, type TestPlatform } from "./support/test-platform.ts";

const COLLECTION = path.resolve(import.meta.dirname, "../docs/collections/tradepost.postman_collection.json");
const run = promisify(execFile);

const EXPECTED: Readonly<Record<string, string>> = {
  // By then, the order is delivered and the entry is live.
  "Cancel an order": "409 invalid_transition",
  "Publish the latest revision at a later time": "409 invalid_transition",
  "Cancel an entry's schedule": "409 invalid_transition",
  // The only delivery has no attempt yet, and does not belong to a listener.
  "Deliver again": "409 conflict",
  "Report the result of an attempt at a leased delivery": "404 not_found",
  "Redeliver a delivery of a listener": "404 not_found",
  // A new shop has no notices.
  "Acknowledge a notice": "404 not_found",
  // The replay was deleted with its subscription, and the day of the example is no longer kept.
  "Cancel a replay": "404 not_found",
  "Get the ledger of a day": "404 not_found",
  "List what was delivered of an hour, with its digest": "404 not_found",
  // A run does not know the caller's password or another session, and gets no links, which are in an e-mail or an earlier
  // response.
  "Change the caller's password": "422 validation_error",
  "End a session of the caller": "404 not_found",
  "Set a password with a set-up link": "401 unauthorized",
  // A code follows from a secret and the time.
  "Finish a sign-in with a second factor": "401 unauthorized",
  "Confirm a second factor with its first code": "422 validation_error",
  "Remove the caller's second factor": "404 not_found",
  "Reset the second factor of a staff user": "404 not_found",
  "Download the file of a signed link": "404 not_found",
};

interface Execution {
  readonly item: { readonly name: string };
  readonly response?: { readonly code: number; readonly stream?: { readonly data: readonly number[] } };
  readonly requestError?: { readonly message: string };
  readonly testScript?: readonly { readonly error?: { readonly message: string } }[];
}

let platform: TestPlatform;
let folder: string;
beforeAll(async () => {
  platform = await startTestPlatform();
  folder = await mkdtemp(path.join(os.tmpdir(), "collection-"));
});
afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
  await platform.stop();
});

test("no request of the collection fails for a reason of the collection", async () => {
  const { ownerToken, ownerEmail, ownerPassword } = await platform.createTenant();
  const [image, collection, report] = ["image.png", "collection.json", "report.json"].map((name) =>
    path.join(folder, name),
  ) as [string, string, string];
  await writeFile(image, picture(20, 10));
  // In Postman, the user chooses the file.
  const text = await readFile(COLLECTION, "utf8");
  await writeFile(collection, text.replace('"src": []', `"src": ${JSON.stringify(image)}`));
  const variables = { baseUrl: platform.url, token: ownerToken, email: ownerEmail, password: ownerPassword };
  // newman exits with 1 if a script fails, which the report shows too.
  const newman = run(process.execPath, [
    ...[programOf("newman", "bin/newman.js"), "run", collection, "--ignore-redirects"],
    ...["--reporters", "json", "--reporter-json-export", report],
    ...Object.entries(variables).flatMap(([name, value]) => ["--env-var", `${name}=${value}`]),
  ]);
  await newman.catch(() => undefined);
  const { executions } = JSON.parse(await readFile(report, "utf8")).run as { executions: Execution[] };
  const outcomes = executions.map((execution) => [execution.item.name, outcomeOf(execution)] as const);
  expect(outcomes.length).toBeGreaterThan(90);
  expect(Object.fromEntries(outcomes.filter(([, outcome]) => !/^2\d\d$/.test(outcome)))).toEqual(EXPECTED);
});

function outcomeOf({ response, requestError, testScript = [] }: Execution): string {
  const error = requestError ?? testScript.find(({ error }) => error !== undefined)?.error;
  if (error !== undefined || response === undefined) return error?.message ?? "no response";
  if (response.code < 300) return String(response.code);
  const { error: refusal } = JSON.parse(Buffer.from(response.stream?.data ?? []).toString());
  return `${response.code} ${refusal.code}`;
}
