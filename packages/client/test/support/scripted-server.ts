// An HTTP server that responds with the steps of a script, one per request, and records the requests.
import http from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { type ClientOptions, createClient } from "../../src/index.ts";

interface ReceivedRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: http.IncomingHttpHeaders;
  readonly body: string;
}

export type Step = (res: http.ServerResponse, request: ReceivedRequest) => void;

/** Starts the server. It repeats the last step for all further requests. */
export async function serveScript(...steps: [Step, ...Step[]]) {
  const requests: ReceivedRequest[] = [];
  const server = http.createServer(async (req, res) => {
    const { method = "", url: path = "", headers } = req;
    const request = { method, path, headers, body: await text(req) };
    const step = steps[Math.min(requests.length, steps.length - 1)];
    requests.push(request);
    step?.(res, request);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const clientWith = (options: Omit<ClientOptions, "url">) =>
    createClient({ url, apiKey: "sk_test", ...options });
  return {
    url,
    requests,
    clientWith,
    client: clientWith({}),
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Returns the error of the promise. */
export function rejectionOf(promise: Promise<unknown>): Promise<unknown> {
  return promise.catch((thrown: unknown) => thrown);
}

export function success(data: unknown, page?: unknown, headers: Record<string, string> = {}): Step {
  return json(200, { success: true, data, ...(page !== undefined && { page }) }, headers);
}

export function failure(
  status: number,
  error: Record<string, unknown>,
  headers: Record<string, string> = {},
): Step {
  return json(status, { success: false, error: { message: "no", requestId: "r-1", ...error } }, headers);
}

export function json(status: number, body: unknown, headers: Record<string, string> = {}): Step {
  return (res) =>
    res.writeHead(status, { "content-type": "application/json", ...headers }).end(JSON.stringify(body));
}

/** Breaks the connection without a response. */
export const reset: Step = (res) => res.socket?.resetAndDestroy();

export const silence: Step = () => undefined;
