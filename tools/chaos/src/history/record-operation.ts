// Sends one request of a client and adds it to a history, with its start, its end and its response.
import type { TenantCredentials } from "@tradepost/devstack";
import { sleep } from "@tradepost/runtime";
import {
  type FailedRequest,
  failedRequest,
  type HttpRequest,
  type HttpResponse,
  isAnswered,
  type Sender,
} from "../send-requests.ts";
import type { Operation } from "./linearize.ts";

export interface Recorder {
  readonly sender: Sender;
  readonly tenant: TenantCredentials;
  readonly failedRequests: FailedRequest[];
  /** Whether reads at this moment may show what is lost afterwards, because a primary is cut off (interface §21). */
  readonly readsMayShowLost: () => boolean;
}

interface Sent<Request, Response> {
  readonly request: Request;
  readonly http: HttpRequest;
  readonly responseOf: (response: HttpResponse) => Response;
  /** Whether the client sends the request again after `tries` tries without a response. Two tries must take effect once. */
  readonly mayRepeat: (tries: number) => boolean;
}

const RETRY_AFTER_MS = 150;

/** Resolves to false if the operation is left out: a read without a response, or of what may be lost afterwards, shows nothing. */
export async function recordOperation<Request, Response>(
  { sender, tenant, failedRequests, readsMayShowLost }: Recorder,
  operations: Operation<Request, Response>[],
  { request, http, responseOf, mayRepeat }: Sent<Request, Response>,
): Promise<boolean> {
  const isRead = http.method === "GET";
  const firstStartedAt = performance.now();
  const addUnanswered = () => {
    const endedAt = Number.POSITIVE_INFINITY;
    if (!isRead) operations.push({ request, response: null, startedAt: firstStartedAt, endedAt });
    return !isRead;
  };
  for (let tries = 1; ; tries += 1) {
    const lastStartedAt = performance.now();
    const isCutOff = readsMayShowLost();
    const response = await sender.send(tenant, http);
    const endedAt = performance.now();
    if (isAnswered(response)) {
      // A success may come from any of the tries. A refusal comes from the last one: earlier tries may still take effect.
      const isOfLast = isRead || response.status >= 400;
      if (isRead && (isCutOff || readsMayShowLost())) return false;
      operations.push({
        ...{ request, response: responseOf(response), endedAt },
        startedAt: isOfLast ? lastStartedAt : firstStartedAt,
        ...(isOfLast && !isRead && tries > 1 && { earlierTryAt: firstStartedAt }),
      });
      return true;
    }
    failedRequests.push(failedRequest(http, response));
    await sleep(RETRY_AFTER_MS);
    if (!mayRepeat(tries)) return addUnanswered();
  }
}
