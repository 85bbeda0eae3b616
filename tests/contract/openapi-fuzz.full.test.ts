// Sends 4,000 requests, generated from the API description for all operations, to a whole platform. No response is a 5xx (but for a
// 503 that does not last), and each matches the description. Ids of earlier responses are used in later requests, which thus reach
// deep states.
import { sleep } from "@tradepost/runtime";
import fc from "fast-check";
import { Pool } from "undici";
import {
  type DescribedOperation,
  describedOperations,
  description,
  responseFaults,
} from "../support/api-description.ts";
import { startCallers } from "../support/fuzz/callers.ts";
import { rememberIds } from "../support/fuzz/remember-ids.ts";
import { type FuzzRequest, requestsOf } from "../support/fuzz/requests.ts";
import { startTestPlatform } from "../support/test-platform.ts";

const REQUESTS = 4_000;
const IN_PARALLEL = 8;
// In ms; only for a test that hangs.
const TIMEOUT_MS = 1_200_000;
const FAULTS_SHOWN_MAX = 20;
// Each of these verifies or hashes a password, and a gateway does only two at a time.
const SLOW = new Set(["login", "setUpPassword", "changeMyPassword"]);
// On a busy machine a statement may wait too long for one of few connections. The response is 503 and says when to send it again.
const TRIES_MAX = 3;
const RETRY_AFTER_MS = 2_000;
// About 0.82 are successful. A much smaller share means that ids no longer reach later requests. Sign-in and links need a secret
// that no response contains.
const SUCCESSFUL_SHARE_MIN = 0.7;

// Random in each run. FUZZ_SEED repeats the requests of an earlier run.
const seed = Number(process.env.FUZZ_SEED ?? Date.now() % 2 ** 31);

const ids = rememberIds();
const platform = await startTestPlatform();
const callers = await startCallers(platform, ids);
const pool = new Pool(platform.url, { connections: IN_PARALLEL });

describe(`requests made from the API description (FUZZ_SEED=${seed})`, () => {
  afterAll(async () => {
    await callers.settle();
    await pool.destroy();
    await platform.stop();
  });

  test(
    "get only responses that it describes, never 5xx",
    async () => {
      const faults: string[] = [];
      const successful = new Set<string>();

      const send = async (request: FuzzRequest) => {
        const target = ids.putInto(request.path);
        const sentWith = await callers.headersOf(request);
        const body = request.body && ids.putIntoBytes(request.body);
        const headers = { ...sentWith, ...request.headers };
        const { method, operationId } = request.operation;
        let response = await exchange(pool, { method, target, headers, body });
        for (let tries = 1; response.status === 503 && tries < TRIES_MAX; tries += 1) {
          await sleep(RETRY_AFTER_MS);
          response = await exchange(pool, { method, target, headers, body });
        }
        callers.noteStatus(request, response.status, sentWith);
        const fault = faultOf(request.operation, response);
        if (fault !== undefined)
          faults.push(
            `${operationId}, ${response.status}: ${fault}\n${show(method, target, request, body, response)}`,
          );
        const isGone = response.status === 404 && request.caller === "owner";
        if (isGone || (method === "DELETE" && response.status === 200))
          ids.forget(target.split("?", 1)[0] ?? "");
        if (response.status === 302) successful.add(operationId);
        if (response.status < 300) {
          successful.add(operationId);
          ids.remember(request.operation.path, response.text);
        }
      };

      const requests = fc.sample(
        fc.oneof(
          ...describedOperations.map((operation) => ({
            arbitrary: requestsOf(operation),
            weight: weightOf(operation),
          })),
        ),
        { seed, numRuns: REQUESTS },
      );
      await inParallel(requests, send);

      const kinds = new Map(faults.map((fault) => [fault.split("\n", 1)[0], fault]));
      expect([...kinds.values()].slice(0, FAULTS_SHOWN_MAX)).toEqual([]);
      const unsuccessful = describedOperations
        .map(({ operationId }) => operationId)
        .filter((id) => !successful.has(id));
      const isDeep = successful.size >= describedOperations.length * SUCCESSFUL_SHARE_MIN;
      expect(isDeep ? [] : unsuccessful).toEqual([]);
    },
    TIMEOUT_MS,
  );
});

/** Returns the weight of an operation. More resources are created than deleted. */
function weightOf({ operationId, method, responses }: DescribedOperation): number {
  if (SLOW.has(operationId) || method === "DELETE") return 1;
  return "201" in responses ? 6 : 4;
}

async function inParallel<Item>(items: readonly Item[], work: (item: Item) => Promise<void>): Promise<void> {
  const queue = items.values();
  const worker = async () => {
    for (const item of queue) await work(item);
  };
  await Promise.all(Array.from({ length: IN_PARALLEL }, worker));
}

async function exchange(
  pool: Pool,
  sent: { method: string; target: string; headers: Record<string, string | undefined>; body: Buffer | null },
) {
  const { statusCode, headers, body } = await pool.request({
    method: sent.method as "GET",
    path: sent.target,
    headers: Object.fromEntries(
      Object.entries(sent.headers).map(([name, value = ""]) => [name, Buffer.from(value).toString("latin1")]),
    ),
    body: sent.body,
  });
  return { status: statusCode, contentType: String(headers["content-type"] ?? ""), text: await body.text() };
}

function show(
  method: string,
  target: string,
  request: FuzzRequest,
  body: Buffer | null,
  response: FuzzResponse,
): string {
  const shown = [
    `${method} ${target.slice(0, 500)} as ${request.caller}`,
    JSON.stringify(request.headers).slice(0, 500),
    body?.toString().slice(0, 1_500),
    `→ ${response.text.slice(0, 600)}`,
  ];
  return shown.filter((line) => line !== undefined).join("\n");
}

type FuzzResponse = Awaited<ReturnType<typeof exchange>>;

/** Returns how a response differs from the description of its operation. */
function faultOf(
  operation: DescribedOperation,
  { status, contentType, text }: FuzzResponse,
): string | undefined {
  if (status >= 500) return "a fault of the server";
  const described = operation.responses[status];
  if (described === undefined) return "the status is not described";
  const shared = description.components.responses[described.$ref?.split("/").at(-1) ?? ""];
  const { content } = shared ?? described;
  if (content === undefined) return text === "" ? undefined : "the body is not described";
  const isJson = contentType.startsWith("application/json");
  const isDescribedAsJson = "application/json" in content;
  if (isJson !== isDescribedAsJson) return isJson ? "JSON is not described" : "not JSON";
  return isJson ? responseFaults(operation, status, JSON.parse(text))[0] : undefined;
}
