// An upload that is sent byte by byte is refused after some thousand chunks, and does not delay other requests.
import net from "node:net";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { startTestPlatform, type TestPlatform, type TestTenant } from "./support/test-platform.ts";

const UPLOADS = 8;
const PIECES = 200_000;
const PART = '--b\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\n\r\n';

let platform: TestPlatform;
let tenant: TestTenant;
beforeAll(async () => {
  platform = await startTestPlatform();
  tenant = await platform.createTenant();
});
afterAll(() => platform.stop());

/** Sends an upload in one-byte chunks that never ends. Resolves to what came back until the connection ended. */
function uploadByteByByte(): Promise<string> {
  const { port, hostname } = new URL(platform.url);
  return new Promise((resolve) => {
    const socket = net.connect(Number(port), hostname).setEncoding("latin1");
    let heard = "";
    socket.on("data", (text) => (heard += text));
    // The gateway closes while the client still sends.
    socket.on("error", () => undefined);
    socket.on("close", () => resolve(heard));
    const head = [
      ...["POST /v1/media HTTP/1.1", "Host: x", `Authorization: Bearer ${tenant.apiKey}`],
      ...["Content-Type: multipart/form-data; boundary=b", "Transfer-Encoding: chunked"],
    ];
    socket.write(`${head.join("\r\n")}\r\n\r\n${PART.length.toString(16)}\r\n${PART}\r\n`);
    socket.write("1\r\nx\r\n".repeat(PIECES));
  });
}

test("as many as a tenant may have at once are refused with 400, and another tenant is served meanwhile", async () => {
  const other = await platform.createTenant();
  const uploading = Promise.all(Array.from({ length: UPLOADS }, uploadByteByByte));
  expect((await other.key.get("/v1/me")).status).toBe(200);
  for (const heard of await uploading) {
    expect(heard).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n/);
    expect(heard).toContain("too many small chunks");
  }
  expect((await tenant.key.get("/v1/media")).body.data).toEqual([]);
});
