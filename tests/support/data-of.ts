import type { ClientResponse } from "@tradepost/testing";

/** Expects the status, and shows the body of any other response. Returns the data. */
// biome-ignore lint/suspicious/noExplicitAny: tests read bodies of every shape
export function dataOf(response: ClientResponse, status: number): any {
  expect([response.status, response.text]).toEqual([status, response.text]);
  return response.body.data;
}
