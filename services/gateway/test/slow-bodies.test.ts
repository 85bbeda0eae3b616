// Slow clients: a body that arrives too slowly is refused. More of them than the gateway has connections to a service do not
// delay other tenants, because a connection is taken only for a body that is complete, and a tenant has few uploads at a time.
import { until } from "@tradepost/testing";
import { connectRaw, headOf } from "./support/connect-raw.ts";
import { useRecordingUpstream } from "./support/recording-upstream.ts";
import { useGateway } from "./support/test-gateway.ts";

// More than the 128 connections to a service.
const CLIENTS = 140;
const UPLOADS_OF_TENANT_MAX = 8;
const BYTE_EVERY_MS = 3_000;
/** The paths of the requests that have begun to arrive at a service. */
const arrived = new Set<string>();

const upstream = await useRecordingUpstream();
const gateway = await useGateway(upstream.settings);
const limited = await gateway.startReplica({
  TENANT_CONCURRENCY_MAX: "",
  RATE_LIMIT_PER_SECOND: "",
  TENANT_RATE_LIMIT_PER_SECOND: "",
});
const other = await gateway.createTenant();
upstream.onRequest(({ url }) => arrived.add(url ?? ""));

const UPLOAD = "multipart/form-data; boundary=x";
type Server = { readonly url: string };

/** Sends the headers of a chunked body, and a byte of it. */
function begin(server: Server, path: string, token: string, contentType = "application/json") {
  const client = connectRaw(server);
  // With `Expect`, Node confirms that it has read the headers.
  const lines = [`Content-Type: ${contentType}`, "Transfer-Encoding: chunked", "Expect: 100-continue"];
  client.socket.write(`${headOf(token, `POST ${path}`, ...lines)}1\r\n \r\n`);
  return client;
}
/** Resolves when the gateway has read the headers of all of them. */
async function beginMany(server: Server, path: string, token: string, contentType?: string) {
  const clients = Array.from({ length: CLIENTS }, () => begin(server, path, token, contentType));
  await until("all clients to be heard", () => clients.every(({ received }) => received() !== ""));
  return clients;
}

// The tests run at the same time, because they mostly wait.
const gateways: [string, () => Server][] = [
  ["by default", () => limited],
  ["without limits on concurrency and rate", () => gateway],
];

describe.each(gateways)("more slow clients than connections, %s,", (name, server) => {
  const read = async (path: string) => {
    const client = gateway.as(other.token, server().url);
    const responses = await Promise.all(Array.from({ length: 20 }, () => client.get(path)));
    return responses.map(({ status }) => status);
  };
  const all200 = Array(20).fill(200);

  test.concurrent("with JSON reach no service, and another tenant is served", async () => {
    const path = `/v1/orders?gateway=${encodeURIComponent(name)}`;
    const { token } = await gateway.createTenant();
    const clients = await beginMany(server(), path, token);
    expect(await read("/v1/customers")).toEqual(all200);
    expect(arrived).not.toContain(path);
    for (const { socket } of clients) socket.destroy();
  });

  test.concurrent("with uploads get 429 but for a few, and another tenant is served", async () => {
    const { token } = await gateway.createTenant();
    const clients = await beginMany(server(), "/v1/media", token, UPLOAD);
    expect(await read("/v1/redirects")).toEqual(all200);
    // Uploads that waited for the first ones for too long, and those that did not fit into the queue.
    const refused = () => clients.filter(({ statuses }) => statuses().includes(429));
    await until("the refusals", () => refused().length === CLIENTS - UPLOADS_OF_TENANT_MAX);
    for (const { socket } of clients) socket.destroy();
    const client = gateway.as(token, server().url);
    const headers = { "content-type": UPLOAD };
    const upload = async () => (await client.send("POST", "/v1/media", { headers, body: "x" })).status;
    await until("an upload to be forwarded", async () => (await upload()) === 200);
  });
});

test.concurrent.each([
  ["/v1/auth/login", "of the gateway, by anyone"],
  ["/v1/auth/refresh", "that ignores its body"],
  ["/v1/api-keys", "of the gateway"],
  ["/v1/orders?slow", "of a service"],
])("a body of a byte every few seconds is refused by %s, a route %s", async (path) => {
  const client = begin(gateway, path, other.token);
  const dripping = setInterval(() => client.socket.write("1\r\n \r\n"), BYTE_EVERY_MS);
  client.socket.once("close", () => clearInterval(dripping));
  await until("the gateway to close", client.isClosed);
  const [, response = ""] = client.received().split("HTTP/1.1 100 Continue\r\n\r\n");
  expect(response).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n/);
  expect(response).toMatch(/\r\nconnection: close\r\n/i);
  expect(response).toContain('"code":"bad_request"');
  expect(arrived).not.toContain(path);
});
