// Counts what a service sends to Postgres, in a proxy between them.
import net from "node:net";
import { listenLocally, readStatements, splitMessages, until } from "@tradepost/testing";
import type { Count } from "./counts.ts";

/**
 * A round trip is what the service sends at once: often several messages of the protocol, or several statements. Opening a
 * connection does not count.
 */
export async function startPostgresCounter(postgresUrl: string, service: string, count: Count) {
  const { hostname, port } = new URL(postgresUrl);
  const links = new Set<Link>();
  const proxy = net.createServer((client) => {
    const link = join(client, net.connect(Number(port), hostname));
    links.add(link);
    client.on("close", () => links.delete(link));
    client.on("data", () => {
      if (link.isOpen()) count(`round trips: ${service}`);
    });
    const read = readStatements(({ text }) => {
      count(`statements: ${service}`);
      count(`statement of ${service}: ${text.replace(/\s+/g, " ").trim()}`);
    });
    client.on("data", read);
  });
  const local = await listenLocally(proxy);
  return {
    through: (url: string): string => Object.assign(new URL(url), { host: `127.0.0.1:${local.port}` }).href,
    isIdle: () => [...links].every((link) => link.isIdle()),
    /** Makes the backends report their statistics now. By themselves they report once a second, or after ten. */
    reportStatistics: () => Promise.all([...links].map((link) => link.reportStatistics())),
    stop: local.stop,
  };
}

type Link = ReturnType<typeof join>;

function join(client: net.Socket, server: net.Socket) {
  // The start of the connection gets a response, too.
  let unanswered = 1;
  let status = "";
  let isOurs = false;
  let onOurs = () => {};
  const readRequests = splitMessages("client", (type) => {
    if (type === "Q" || type === "S") unanswered += 1;
  });
  const readResponses = splitMessages("server", (type, body) => {
    if (type !== "Z") return;
    unanswered -= 1;
    status = body.toString("latin1");
    onOurs();
  });
  client.on("data", (bytes) => {
    readRequests(bytes);
    server.write(bytes);
  });
  server.on("data", (bytes) => {
    const isForClient = !isOurs;
    readResponses(bytes);
    if (isForClient) client.write(bytes);
  });
  for (const [one, other] of [
    [client, server],
    [server, client],
  ] as const) {
    one.on("error", () => undefined);
    one.on("close", () => other.end());
  }
  server.on("close", () => onOurs());

  const isIdle = () => unanswered === 0 && status === "I";
  async function reportStatistics(): Promise<void> {
    await until("a connection to be idle", () => isIdle() || server.destroyed);
    client.pause();
    isOurs = true;
    unanswered += 1;
    await new Promise<void>((resolve) => {
      onOurs = resolve;
      if (server.destroyed) resolve();
      else server.write(REPORT);
    });
    onOurs = () => {};
    isOurs = false;
    client.resume();
  }
  return { isOpen: () => status !== "", isIdle, reportStatistics };
}

const REPORT = query("select pg_catalog.pg_stat_force_next_flush()");

function query(text: string): Buffer {
  const length = Buffer.alloc(4);
  length.writeInt32BE(length.length + text.length + 1);
  return Buffer.concat([Buffer.from("Q"), length, Buffer.from(`${text}\0`)]);
}
