// Responds to bytes that are not a valid HTTP request, such as two lengths, bad chunks or endless headers, and closes the
// connection.
import type { Duplex } from "node:stream";
import { newId } from "@tradepost/runtime";
import { JSON_HEADERS } from "./api-response.ts";

/** Handles the `clientError` event of http.Server: responds with the error envelope (interface §1). */
export function refuseUnreadable(error: NodeJS.ErrnoException, socket: Duplex): void {
  if (!socket.writable || error.code === "ECONNRESET") {
    socket.destroy();
    return;
  }
  const { status, message } = responseTo(error.code);
  const requestId = newId();
  const body = JSON.stringify({ success: false, error: { code: "bad_request", message, requestId } });
  const headers = {
    ...JSON_HEADERS,
    "x-request-id": requestId,
    "content-length": Buffer.byteLength(body),
    connection: "close",
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(`HTTP/1.1 ${status}\r\n${lines.join("")}\r\n${body}`);
}

function responseTo(code: string | undefined): { status: string; message: string } {
  if (code === "HPE_HEADER_OVERFLOW") {
    return { status: "431 Request Header Fields Too Large", message: "The headers are too large." };
  }
  if (code === "ERR_HTTP_REQUEST_TIMEOUT") {
    return { status: "408 Request Timeout", message: "The request took too long to arrive." };
  }
  return { status: "400 Bad Request", message: "This is not a valid HTTP request." };
}
