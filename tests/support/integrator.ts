// Short forms for requests and for the common parts of responses.
import { expect } from "@jest/globals";
import type { ApiClient, ClientResponse } from "@tradepost/testing";

export const UUID_V7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
export const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

/** Expects the status, and shows the body of any other response. Returns the data. */
// biome-ignore lint/suspicious/noExplicitAny: tests read bodies of every shape
export function dataOf(response: ClientResponse, status: number): any {
  expect([response.status, response.text]).toEqual([status, response.text]);
  return response.body.data;
}

/** Sends JSON with any method and headers. */
export function sendJson(
  client: ApiClient,
  method: string,
  path: string,
  body: unknown,
  headers: Record<string, string> = {},
): Promise<ClientResponse> {
  return client.send(method, path, {
    headers: { ...(body !== undefined && { "content-type": "application/json" }), ...headers },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
}
