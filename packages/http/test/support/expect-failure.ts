// The shape of every refusal (interface §1).
import type { Response } from "./notes-service.ts";

/** Expects exactly this status and code, the envelope, and the request id; with `paths`, details for exactly these fields. */
export function expectFailure(
  { status, headers, body }: Response,
  expectedStatus: number,
  code: string,
  paths?: readonly string[],
): void {
  const requestId = headers.get("x-request-id");
  expect(body).toEqual({
    success: false,
    error: {
      ...{ code, message: expect.stringMatching(/\S/), requestId },
      ...(expectedStatus === 422 && { details: expect.any(Array) }),
    },
  });
  expect(status).toBe(expectedStatus);
  expect(requestId).toMatch(/^[A-Za-z0-9._-]{1,128}$/);
  expect(headers.get("content-type")).toMatch(/^application\/json/);
  expect(headers.get("www-authenticate")).toBe(expectedStatus === 401 ? "Bearer" : null);
  if (paths !== undefined) expect(pathsOf(body).sort()).toEqual([...paths].sort());
}

export function pathsOf(body: { error: { details: readonly { path: string }[] } }): string[] {
  return body.error.details.map(({ path }) => path);
}
