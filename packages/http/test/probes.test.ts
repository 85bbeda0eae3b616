// What requests for the probes cost a service.
import { connect } from "node:net";
import { text } from "node:stream/consumers";
import { expect, test } from "@jest/globals";
import { createLogger, createMetrics } from "@tradepost/runtime";
import { serveHttp } from "../src/serve-http.ts";
import { startListening } from "../src/start-listening.ts";

test.each(["/metrics", "/readyz"])(
  "a thousand requests for %s on one connection share their work",
  async (path) => {
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
    const server = serveHttp({
      listener: await startListening({ host: "127.0.0.1", port: 0 }),
      idleGraceMs: 0,
      routes: [],
      identify: () => Promise.reject(new Error("this server has no authentication")),
      readiness: { database },
      logger: createLogger("test", "silent"),
      metrics,
      metricsOn: "this port",
      isUnavailable: () => false,
    });
    try {
      const socket = connect(Number(new URL(server.url).port), "127.0.0.1");
      const request = `GET ${path} HTTP/1.1\r\nHost: localhost\r\n`;
      socket.write(`${request}\r\n`.repeat(999));
      socket.write(`${request}Connection: close\r\n\r\n`);
      const responses = await text(socket);
      expect(responses.match(/HTTP\/1\.1 200 OK/g)).toHaveLength(1_000);
      expect(path === "/metrics" ? scrapes : checks).toBeLessThan(100);
    } finally {
      await server.stop();
    }
  },
);
