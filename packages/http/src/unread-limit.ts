// Bounds the memory that clients occupy by not reading responses (interface §1). Beyond the limits, the connections that have waited
// longest are closed, so new clients are always served.
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";

export interface UnreadLimits {
  readonly responsesMax: number;
  readonly bytesMax: number;
}

/** Today's clients do not send a request before they have read the response to the last one. */
const UNANSWERED_OF_CONNECTION_MAX = 16;
// An unread response holds about 10 KB plus its body. A shared body counts for each response.
const LIMITS: UnreadLimits = { responsesMax: 4_096, bytesMax: 256 * 1024 * 1024 };
// Memory grows by requests, so they are counted, and no timer is needed.
const CHECK_EVERY_REQUESTS = 64;

/** Returns a function that counts a request until its response is written; false if it has closed the connection. */
export function unreadLimit({ responsesMax, bytesMax }: UnreadLimits = LIMITS) {
  const ofConnections = new WeakMap<Socket, Set<ServerResponse>>();
  const unanswered = new Set<ServerResponse>();
  let requestCount = 0;

  function endLongestUnread(): void {
    let responses = 0;
    let bytes = 0;
    for (const response of [...unanswered].reverse()) {
      if (!response.writableEnded) continue;
      responses += 1;
      bytes += response.writableLength;
      if (responses > responsesMax || bytes > bytesMax) response.req.socket.destroy();
    }
  }

  return ({ socket }: IncomingMessage, res: ServerResponse): boolean => {
    // Node may have read more requests from the packet that ended the connection.
    if (socket.destroyed) return false;
    const responses = ofConnections.get(socket) ?? new Set();
    ofConnections.set(socket, responses);
    if (responses.size >= UNANSWERED_OF_CONNECTION_MAX) {
      socket.destroy();
      return false;
    }
    responses.add(res);
    unanswered.add(res);
    res.once("close", () => {
      responses.delete(res);
      unanswered.delete(res);
    });
    requestCount += 1;
    if (requestCount % CHECK_EVERY_REQUESTS === 0) endLongestUnread();
    return true;
  };
}
