// Requests to /mcp as bytes, for tests of what no well-behaved client sends.
import type { ApiClient, ClientResponse } from "@tradepost/testing";

/** All scopes that a tool may need. */
export const SCOPES = ["read:crm", "write:crm", "read:content", "write:content"];

export const JSON_TYPE = {
  "content-type": "application/json",
  accept: "application/json, text/event-stream",
};

/** A message of the 2025 revisions, which needs no further headers. */
export function message(method: string, params: object = {}): string {
  return JSON.stringify({ jsonrpc: "2.0", id: 1, method, params });
}

export function callTool(
  client: ApiClient,
  name: string,
  args: unknown = {},
  headers: Record<string, string> = {},
): Promise<ClientResponse> {
  const body = message("tools/call", { name, arguments: args });
  return client.send("POST", "/mcp", { headers: { ...JSON_TYPE, ...headers }, body });
}

export async function toolNames(client: ApiClient): Promise<string[]> {
  const { body } = await client.send("POST", "/mcp", { headers: JSON_TYPE, body: message("tools/list") });
  return body.result.tools.map(({ name }: { name: string }) => name);
}

// biome-ignore lint/suspicious/noExplicitAny: tests read errors of every shape
export function errorOf({ status, body }: ClientResponse): any {
  if (status !== 200 || body.result?.isError !== true)
    throw new Error(`no failed tool: ${status} ${JSON.stringify(body)}`);
  return JSON.parse(body.result.content[1].text).error;
}
