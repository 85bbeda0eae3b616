// `tradepost api`: sends one request and prints the response as the platform gives it.
import type { Command } from "commander";
import { send } from "../../http/send.ts";
import { findPlatform } from "../connection.ts";
import { UsageError } from "../usage-error.ts";
import { indented } from "./indented.ts";
import { readItems } from "./read-items.ts";

const HELP = `
Each item is a part of the request:
  name=value      a text in the body, or a parameter of a GET
  name:=json      a number, a list, an object, true, false or null in the body
  name==value     a parameter of the address
  Name:value      a header
A name may lead into lists and objects: 'items[0][sku]=MUG-1', 'tags[]=new'.

For example:
  tradepost api GET /v1/orders limit=1
  tradepost api POST /v1/redirects from=/old to=/new
  tradepost api PATCH /v1/customers/0198c5b3-2f4a-7d21-8c5e-0a1b2c3d4e5f 'If-Match:"2"' name=Ada

Without TRADEPOST_URL and TRADEPOST_API_KEY it uses the demo tenant of a platform that \`npm start\` runs, and {customerId} stands for
the customer of the demo. The exit status is 1 unless the request succeeds.`;

export function addApiCommand(program: Command): void {
  program
    .command("api")
    .description("Sends one request, and prints the response.")
    .argument("<method>", "GET, POST, PUT, PATCH or DELETE")
    .argument("<path>", "such as /v1/orders")
    .argument("[items...]", "name=value, name:=json, name==value or Name:value")
    .addHelpText("after", HELP)
    .action(run);
}

// Longer than the longest wait for an event, and enough for an export.
const TIMEOUT_MS = 120_000;

async function run(methodGiven: string, path: string, items: string[]): Promise<void> {
  const method = methodGiven.toUpperCase();
  if (!METHODS.includes(method))
    throw new UsageError(`${methodGiven}: must be one of ${METHODS.join(", ")}.`);
  if (!path.startsWith("/")) throw new UsageError(`${path}: a path begins with a slash, such as /v1/orders.`);
  const { baseUrl, credential, responseBytesMax, customerId = "{customerId}" } = findPlatform();
  const filled = (text: string) => text.replaceAll("{customerId}", customerId);
  const request = readItems(items.map(filled));
  const url = new URL(baseUrl.href.replace(/\/$/, "") + filled(path));
  const isRead = method === "GET";
  if (isRead && request.isList) throw new UsageError("A GET has no body.");
  const parameters = isRead ? [...request.query, ...Object.entries(request.body ?? {})] : request.query;
  for (const [name, value] of parameters) url.searchParams.append(name, parameterOf(value));
  const body = isRead || request.body === undefined ? undefined : JSON.stringify(request.body);
  const outcome = await send({
    ...{ method, url, body, responseBytesMax, timeoutMs: TIMEOUT_MS },
    headers: {
      ...(body !== undefined && { "content-type": "application/json" }),
      ...request.headers,
      authorization: `Bearer ${await credential()}`,
    },
  });
  if (outcome.failure !== undefined)
    throw new UsageError(`${method} ${url.pathname}: ${outcome.failure.message}`);
  const { response } = outcome;
  print(response.bytes, String(response.headers["content-type"]));
  if (response.status >= 300) process.exitCode = 1;
}

const METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE"];

function parameterOf(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

/** A program that reads the output gets the exact bytes. */
function print(bytes: Uint8Array, contentType: string): void {
  const isJson = contentType.startsWith("application/json");
  if (!isJson) process.stdout.write(bytes);
  else if (process.stdout.isTTY) process.stdout.write(`${indented(Buffer.from(bytes).toString())}\n`);
  else process.stdout.write(Buffer.concat([bytes, Buffer.from("\n")]));
}
