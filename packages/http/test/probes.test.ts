// The cost of probe requests for a service.
import { once } from "node:events";
import { connect } from "node:net";
import { text } from "node:stream/consumers";
import { createMetrics } from "@tradepost/runtime";
import { startNotesService } from "./support/notes-service.ts";

test.each(["/metrics", "/readyz"])("a thousand requests for %s share their work", async (path) => {
  let scrapes = 0;
  let checks = 0;
  const metrics = createMetrics("test");
  metrics.gauge("scrapes", "Counts its scrapes.", [], async (gauge) => {
    scrapes += 1;
    await new Promise(setImmediate);
    gauge.set({}, scrapes);
  });
  const database = async () => {
    checks += 1;
    await new Promise(setImmediate);
  };
  const server = await startNotesService({ readiness: { database }, metrics });
  try {
    const request = `GET ${path} HTTP/1.1\r\nHost: localhost\r\n`;
    const responses = await Promise.all(
      Array.from({ length: 100 }, () => {
        const socket = connect(server.port, "127.0.0.1");
        socket.write(`${`${request}\r\n`.repeat(9)}${request}Connection: close\r\n\r\n`);
        return text(socket);
      }),
    );
    expect(responses.join("").match(/HTTP\/1\.1 200 OK/g)).toHaveLength(1_000);
    expect(path === "/metrics" ? scrapes : checks).toBeLessThanOrEqual(100);
  } finally {
    await server.stop();
  }
});

test.each(["/readyz", "/metrics", "/healthz"])(
  "a connection on which %s is asked while the server stops is closed, and does not delay the stop",
  async (path) => {
    const asked = Promise.withResolvers<void>();
    const answer = Promise.withResolvers<void>();
    const wait = async () => {
      asked.resolve();
      await answer.promise;
    };
    const metrics = createMetrics("test");
    metrics.gauge("waits", "Waits for the test.", [], async (gauge) => {
      await wait();
      gauge.set({}, 1);
    });
    const server = await startNotesService({ readiness: { database: wait }, metrics });
    const socket = connect(server.port, "127.0.0.1");
    const request = `GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`;
    // /healthz responds at once, so its request starts before the stop and is completed after it.
    socket.write(path === "/healthz" ? request.slice(0, 10) : request);
    if (path === "/healthz") await once(socket, "connect");
    else await asked.promise;
    await server.closePort();
    const stopping = server.stop();
    answer.resolve();
    if (path === "/healthz") socket.write(request.slice(10));
    expect(await text(socket)).toMatch(/\r\nconnection: close\r\n/i);
    await stopping;
  },
);
