import { connect } from "node:net";
import type { ClientResponse } from "./api-client.ts";

/**
 * Sends requests that an HTTP client refuses: repeated headers, another Host, a path that is not normalised. Adds missing lines `Host` and
 * `Connection: close`.
 * @throws an Error if there is no response.
 */
export async function rawRequest(
  url: string,
  requestLine: string,
  headers: readonly string[],
  body: string | Buffer = "",
): Promise<ClientResponse> {
  const { hostname, port, host } = new URL(url);
  const defaults = [`Host: ${host}`, "Connection: close"].filter((line) => !names(headers, line));
  const socket = connect(Number(port), hostname);
  socket.write(`${[`${requestLine} HTTP/1.1`, ...defaults, ...headers].join("\r\n")}\r\n\r\n`);
  if (body.length > 0) socket.write(body);
  const chunks: Buffer[] = [];
  return await new Promise((resolve, reject) => {
    socket.on("data", (chunk) => chunks.push(chunk));
    // A server that refuses a body may close before all of it is sent. The response still counts.
    socket.on("error", () => undefined);
    socket.on("close", () => {
      const response = Buffer.concat(chunks).toString();
      if (response.startsWith("HTTP/1.1 ")) resolve(parse(response));
      else reject(new Error(`no response to ${requestLine}`));
    });
  });
}

function names(headers: readonly string[], line: string): boolean {
  const name = `${line.split(":", 1)[0]}:`.toLowerCase();
  return headers.some((header) => header.toLowerCase().startsWith(name));
}

/** Services do not send chunked responses, so everything after the headers is the body. */
function parse(response: string): ClientResponse {
  const end = response.indexOf("\r\n\r\n");
  const [statusLine = "", ...lines] = response.slice(0, end).split("\r\n");
  const headers = new Headers(lines.map((line) => line.split(/:\s*(.*)/, 2) as [string, string]));
  const text = response.slice(end + 4);
  const isJson = headers.get("content-type")?.startsWith("application/json") ?? false;
  return {
    status: Number(statusLine.split(" ")[1]),
    headers,
    body: isJson && text !== "" ? JSON.parse(text) : text,
    text,
  };
}
