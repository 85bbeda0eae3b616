// The shape of every refusal, whichever service it comes from (interface §1).
import { expect } from "@jest/globals";
import type { ClientResponse } from "@tradepost/testing";

/** The additional fields of an error code. */
const OWN_FIELDS: Readonly<Record<string, string>> = {
  order_number_taken: "orderId",
  order_exists: "orderId",
};

/** Expects exactly this status and code, the envelope, and the request id; with `paths`, details for exactly these fields. */
export function expectFailure(
  response: ClientResponse,
  status: number,
  code: string,
  paths?: readonly string[],
): void {
  const requestId = response.headers.get("x-request-id");
  const own = OWN_FIELDS[code];
  expect(response.headers.get("content-type")).toMatch(/^application\/json/);
  expect(response.body).toEqual({
    success: false,
    error: {
      code,
      message: expect.stringMatching(/\S/),
      requestId,
      ...(status === 422 && { details: expect.any(Array) }),
      ...(own !== undefined && { [own]: expect.any(String) }),
    },
  });
  expect(response.status).toBe(status);
  expect(requestId).toMatch(/^[A-Za-z0-9._-]{1,128}$/);
  expect(response.headers.get("www-authenticate")).toBe(status === 401 ? "Bearer" : null);
  if (paths !== undefined) {
    expect(response.body.error.details.map(({ path }: { path: string }) => path).sort()).toEqual(
      [...paths].sort(),
    );
  }
}

/** Returns the parts in which two indistinguishable refusals are equal: everything except the request id. */
export function withoutRequestId({ status, body }: ClientResponse): unknown {
  return { status, error: { ...body.error, requestId: undefined } };
}
