// Answers bytes that are no HTTP request (both lengths, bad chunking, endless headers) with the envelope and closes.
import type { Duplex } from "node:stream";
import { newId } from "@tradepost/runtime";

/** A listener for http.Server's `clientError`. */
export function refuseUnreadable(error: NodeJS.ErrnoException, socket: Duplex): void {
  if (!socket.writable || error.code === "ECONNRESET") {
    socket.destroy();
    return;
  }
  const { status, message } = meaning(error.code);
  const requestId = newId();
  const body = JSON.stringify({ success: false, error: { code: "bad_request", message, requestId } });
  socket.end(
    `HTTP/1.1 ${status}\r\nContent-Type: application/json; charset=utf-8\r\nX-Request-Id: ${requestId}\r\n` +
      `Content-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
  );
}

function meaning(code: string | undefined): { status: string; message: string } {
  if (code === "HPE_HEADER_OVERFLOW") {
    return { status: "431 Request Header Fields Too Large", message: "The headers are too large." };
  }
  if (code === "ERR_HTTP_REQUEST_TIMEOUT") {
    return { status: "408 Request Timeout", message: "The request took too long to arrive." };
  }
  return { status: "400 Bad Request", message: "This is not a valid HTTP request." };
}
