// Request smuggling: requests that two parsers may read differently are refused with the error envelope and never forwarded.
import net from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { startRecordingUpstream } from "./support/recording-upstream.ts";
import { startTestGateway, type TestGateway } from "./support/test-gateway.ts";

describe("smuggling", () => {
  let upstream: Awaited<ReturnType<typeof startRecordingUpstream>>;
  let gateway: TestGateway;
  let key: string;

  beforeAll(async () => {
    upstream = await startRecordingUpstream();
    gateway = await startTestGateway({ ORDERS_URL: upstream.url });
    const tenant = await gateway.createTenant();
    const made = await tenant.owner.post("/v1/api-keys", { label: "k", scopes: [] });
    key = made.body.data.key;
  });
  afterAll(async () => {
    await gateway.stop();
    await upstream.stop();
  });

  /** Sends raw bytes. Resolves with everything received until the gateway closes. */
  function send(lines: string[], body = ""): Promise<string> {
    const { hostname, port } = new URL(gateway.url);
    const head = ["POST /v1/orders HTTP/1.1", `Host: ${hostname}`, `Authorization: Bearer ${key}`, ...lines];
    return new Promise((resolve, reject) => {
      let response = "";
      const socket = net.connect(Number(port), hostname, () =>
        socket.write(`${head.join("\r\n")}\r\n\r\n${body}`),
      );
      socket.on("data", (chunk) => {
        response += chunk;
      });
      socket.on("close", () => resolve(response));
      socket.on("error", reject);
      socket.setTimeout(20_000, () => socket.destroy(new Error("the gateway kept the connection")));
    });
  }

  const SMUGGLED = "GET /v1/orders/smuggled HTTP/1.1\r\nHost: x\r\n\r\n";

  test.each<[string, string[], string]>([
    ["both lengths", ["Content-Length: 4", "Transfer-Encoding: chunked"], `0\r\n\r\n${SMUGGLED}`],
    ["two lengths", ["Content-Length: 4", "Content-Length: 40"], `{}  ${SMUGGLED}`],
    ["a length that is not a number", ["Content-Length: +4"], `{}  ${SMUGGLED}`],
    [
      "an unknown transfer coding after chunked",
      ["Transfer-Encoding: chunked, identity"],
      `0\r\n\r\n${SMUGGLED}`,
    ],
    ["a bad chunk size", ["Transfer-Encoding: chunked"], `zz\r\n{}\r\n0\r\n\r\n${SMUGGLED}`],
    ["a folded header", ["X-A: 1", " Transfer-Encoding: chunked"], ""],
    ["a blank before the colon", ["Content-Length : 4"], `{}  ${SMUGGLED}`],
  ])("%s is refused and reaches no service", async (_what, lines, body) => {
    const response = await send([...lines, "Content-Type: application/json"], body);
    expect(response).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n/);
    const [, envelope = ""] = response.split("\r\n\r\n");
    expect(JSON.parse(envelope)).toEqual({
      success: false,
      error: { code: "bad_request", message: expect.any(String), requestId: expect.any(String) },
    });
    expect(upstream.recorded).toEqual([]);
  });

  test.each([
    ["the caller's request id", "X-Request-Id: mine-1\r\n", /^mine-1$/],
    ["a new request id", "", /^[A-Za-z0-9._-]{1,128}$/],
  ])("a missing Host is refused with %s", async (_which, header, requestId) => {
    const { hostname, port } = new URL(gateway.url);
    const response = await new Promise<string>((resolve, reject) => {
      let received = "";
      const socket = net.connect(Number(port), hostname, () =>
        socket.write(`GET /v1/orders HTTP/1.1\r\nAuthorization: Bearer ${key}\r\n${header}\r\n`),
      );
      socket.on("data", (chunk) => {
        received += chunk;
      });
      socket.on("close", () => resolve(received));
      socket.on("error", reject);
    });
    const [, id] = /^HTTP\/1\.1 400 Bad Request\r\nx-request-id: (\S+)\r\n/.exec(response) ?? [];
    expect(id).toMatch(requestId);
    expect(JSON.parse(response.split("\r\n\r\n")[1] ?? "")).toEqual({
      success: false,
      error: { code: "bad_request", message: "The header Host is missing.", requestId: id },
    });
    expect(upstream.recorded).toEqual([]);
  });

  test("endless headers give 431", async () => {
    const response = await send([`X-Long: ${"a".repeat(64 * 1024)}`]);
    expect(response).toMatch(/^HTTP\/1\.1 431 /);
    expect(upstream.recorded).toEqual([]);
  });
});
