// Sends bytes that no HTTP client would: two headers of one name, another Host, a path that is not normalised.
import { connect } from "node:net";
import type { ClientResponse } from "./api-client.ts";

/**
 * In: the server's URL, the request line, the headers as they are to be written (`Host` and `Connection: close` are
 * added where they are missing) and a body. Out: the answer. Rejects where none comes.
 */
export async function rawRequest(
  url: string,
  requestLine: string,
  headers: readonly string[],
  body: string | Buffer = "",
): Promise<ClientResponse> {
  const { hostname, port, host } = new URL(url);
  const standing = [`Host: ${host}`, "Connection: close"].filter((line) => !names(headers, line));
  const socket = connect(Number(port), hostname);
  socket.write(`${[`${requestLine} HTTP/1.1`, ...standing, ...headers].join("\r\n")}\r\n\r\n`);
  if (body.length > 0) socket.write(body);
  const chunks: Buffer[] = [];
  return await new Promise((resolve, reject) => {
    socket.on("data", (chunk) => chunks.push(chunk));
    // A server that refuses a body may close before all of it is sent: what it answered counts.
    socket.on("error", () => undefined);
    socket.on("close", () => {
      const answer = Buffer.concat(chunks).toString();
      if (answer.startsWith("HTTP/1.1 ")) resolve(read(answer));
      else reject(new Error(`no answer to ${requestLine}`));
    });
  });
}

function names(headers: readonly string[], line: string): boolean {
  const name = `${line.split(":", 1)[0]}:`.toLowerCase();
  return headers.some((header) => header.toLowerCase().startsWith(name));
}

/** Our servers send a whole answer with its length, so everything after the headers is the body. */
function read(answer: string): ClientResponse {
  const end = answer.indexOf("\r\n\r\n");
  const [statusLine = "", ...lines] = answer.slice(0, end).split("\r\n");
  const headers = new Headers(lines.map((line) => line.split(/:\s*(.*)/, 2) as [string, string]));
  const text = answer.slice(end + 4);
  const isJson = headers.get("content-type")?.startsWith("application/json") ?? false;
  return {
    status: Number(statusLine.split(" ")[1]),
    headers,
    body: isJson && text !== "" ? JSON.parse(text) : text,
    text,
  };
}
