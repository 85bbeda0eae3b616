// A small body that arrives too slowly is refused, a moderately slow one is not. After a refusal the connection is usable,
// but not for an endless body.
import { connect, type Socket } from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { sleep } from "@tradepost/runtime";
import { apiClient, until } from "@tradepost/testing";
import { startTestGateway, type TestGateway, type TestTenant } from "./support/test-gateway.ts";

const MIB = 1024 * 1024;

// The tests run at the same time, because they mostly wait.
describe("a slow or endless body", () => {
  let gateway: TestGateway;
  let tenant: TestTenant;
  beforeAll(async () => {
    gateway = await startTestGateway();
    tenant = await gateway.createTenant();
  });
  afterAll(() => gateway.stop());

  const head = (path: string, ...headers: string[]) =>
    [
      `POST ${path} HTTP/1.1`,
      "Host: x",
      "Content-Type: application/json",
      `Authorization: Bearer ${tenant.token}`,
      ...headers,
      "",
      "",
    ].join("\r\n");

  /** Opens a connection and records the responses. */
  function open() {
    const socket = connect(Number(new URL(gateway.url).port), "127.0.0.1").setEncoding("latin1");
    const state = { received: "", isClosed: false };
    socket.on("data", (text) => (state.received += text));
    // The gateway closes while the client still sends.
    socket.on("error", () => undefined);
    socket.on("close", () => (state.isClosed = true));
    const statuses = () =>
      Array.from(state.received.matchAll(/HTTP\/1\.1 (\d+)/g), ([, status]) => Number(status));
    return { socket, state, statuses };
  }

  /** Writes one piece after another until the connection closes or no piece is left. */
  async function drip(socket: Socket, pieces: Iterable<string>, everyMs: number): Promise<void> {
    for (const piece of pieces) {
      if (socket.destroyed) return;
      socket.write(piece);
      await sleep(everyMs);
    }
  }

  test.concurrent("of a byte every few seconds is refused, authenticated or not", async () => {
    const slow: [string, string, string][] = [
      ["/v1/auth/login", "Content-Length: 1000", " "],
      ["/v1/auth/refresh", "Transfer-Encoding: chunked", "1\r\n \r\n"],
      ["/v1/api-keys", "Content-Length: 1000", " "],
    ];
    await Promise.all(
      slow.map(async ([path, header, piece]) => {
        const { socket, state } = open();
        socket.write(head(path, header));
        void drip(socket, Array(20).fill(piece), 3_000);
        await until("the gateway to close", () => state.isClosed, 50_000);
        expect(state.received).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n/);
        expect(state.received).toMatch(/\r\nconnection: close\r\n/i);
        expect(state.received).toContain('"code":"bad_request"');
      }),
    );
  });

  test.concurrent("of 2 KiB per second is accepted", async () => {
    const { socket, statuses } = open();
    const blanks = " ".repeat(2 * 1024);
    const body = '{"label":"slow","scopes":[]}';
    socket.write(head("/v1/api-keys", `Content-Length: ${13 * blanks.length + body.length}`));
    await drip(socket, [...Array<string>(13).fill(blanks), body], 1_000);
    await until("a response", () => statuses().length > 0);
    expect(statuses()).toEqual([201]);
    socket.destroy();
  });

  test.concurrent.each([
    [
      "in chunks",
      `Transfer-Encoding: chunked`,
      `${(3 * MIB).toString(16)}\r\n${" ".repeat(3 * MIB)}\r\n0\r\n\r\n`,
    ],
    ["with its length", `Content-Length: ${3 * MIB}`, " ".repeat(3 * MIB)],
  ])("that is too large, %s, leaves the connection usable", async (_how, header, body) => {
    const { socket, statuses } = open();
    socket.write(head("/v1/api-keys", header) + body + head("/v1/auth/logout", "Content-Length: 0"));
    await until("two responses", () => statuses().length === 2);
    expect(statuses()).toEqual([413, 200]);
    socket.destroy();
  });

  test.concurrent("that continues after its refusal closes the connection", async () => {
    const { socket, state, statuses } = open();
    socket.write(head("/v1/auth/login", `Content-Length: ${10 ** 12}`));
    const mebibyte = "x".repeat(MIB);
    while (!state.isClosed) {
      if (!socket.write(mebibyte)) await sleep(20);
    }
    expect(statuses()).toEqual([413]);
    expect((await tenant.owner.get("/v1/me")).status).toBe(200);
  });
});

describe("a sign-in body", () => {
  let gateway: TestGateway;
  beforeAll(async () => {
    gateway = await startTestGateway();
  });
  afterAll(() => gateway.stop());

  test.each(["login", "refresh", "logout"])("of more than 4 KiB gives 413: %s", async (route) => {
    const headers = { "content-type": "application/json" };
    const send = (body: string) =>
      apiClient(gateway.url).send("POST", `/v1/auth/${route}`, { headers, body });
    const refused = await send(`{}${" ".repeat(4 * 1024)}`);
    expect([refused.status, refused.body.error.code]).toEqual([413, "payload_too_large"]);
    expect((await send(`{}${" ".repeat(4 * 1024 - 2)}`)).status).not.toBe(413);
  });
});
