// Spans over OTLP/HTTP, received by a collector: one trace through all services, and the effects of a broken collector.
import { createLogger, createMetrics, newTraceparent, startTracer } from "@tradepost/runtime";
import { type CollectorBehaviour, startCollector, until } from "@tradepost/testing";
import { startTestPlatform } from "../support/test-platform.ts";

const TRACE_ID = "0af7651916cd43dd8448eb211c80319c";
const CALLER_SPAN_ID = "b7ad6b7169203331";

const collector = await startCollector();
const platform = await startTestPlatform({
  ...{ OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, WEBHOOKS_RETRY_SCHEDULE: "50ms" },
});
const receiver = await platform.startReceiver();

describe("spans", () => {
  afterAll(async () => {
    await platform.stop();
    await collector.stop();
  });

  test("one trace runs from a client through four services to both attempts of a webhook", async () => {
    const tenant = await platform.createTenant();
    await tenant.subscribe(`${receiver.url}/traced`);
    receiver.behave(({ headers }) => (headers["x-service-attempt"] === "1" ? 500 : 200));
    const traceparent = `00-${TRACE_ID}-${CALLER_SPAN_ID}-01`;
    const items = [{ sku: "A-1", name: "Mug", unitPrice: 5 }];
    await tenant.key.post("/v1/orders", { customerId: tenant.customerId, items }, { traceparent });
    await tenant.key.post("/v1/redirects", { from: "/old", to: "/new" }, { traceparent });

    const inTrace = () => collector.spans.filter(({ traceId }) => traceId === TRACE_ID);
    const find = (service: string, name: string) =>
      inTrace().filter((span) => span.service === service && span.name === name);
    await until("the spans", () => find("webhooks", "attempt redirect.added").length === 2);
    await until("the order's event", () => find("orders", "publish order.placed").length === 1);
    // Services send their spans at different times, so wait for all of these.
    const expected = [
      ["gateway", "POST /v1/redirects"],
      ["gateway", "POST /v1/orders"],
      ["content", "POST /v1/redirects"],
      ["content", "publish redirect.added"],
      ["orders", "POST /v1/orders"],
      ["webhooks", "fan out redirect.added"],
    ] as const;
    await until("those of the other services", () =>
      expected.every(([service, name]) => find(service, name).length > 0),
    );
    expect(new Set(inTrace().map(({ service }) => service))).toEqual(
      new Set(["gateway", "orders", "content", "webhooks"]),
    );
    /** Returns the names of a span and its ancestors in the trace, up to the caller's. */
    const pathOf = (spanId: string | undefined): string[] => {
      if (spanId === CALLER_SPAN_ID) return ["caller"];
      const [span, ...others] = inTrace().filter((one) => one.spanId === spanId);
      expect(others).toEqual([]);
      return span === undefined
        ? [`unknown ${spanId}`]
        : [`${span.service}: ${span.name}`, ...pathOf(span.parentSpanId)];
    };
    const request = ["content: POST /v1/redirects", "gateway: POST /v1/redirects", "caller"];
    const fanOut = ["webhooks: fan out redirect.added", "content: publish redirect.added", ...request];
    const attempts = find("webhooks", "attempt redirect.added");
    const ofAttempt = ["webhooks: attempt redirect.added", ...fanOut];
    expect(attempts.map(({ spanId }) => pathOf(spanId))).toEqual([ofAttempt, ofAttempt]);
    expect(attempts.map(({ attributes }) => attributes["http.response.status_code"]).sort()).toEqual([
      "200",
      "500",
    ]);
    const ordering = ["orders: POST /v1/orders", "gateway: POST /v1/orders", "caller"];
    const groups = inTrace().filter(({ name }) => name === "statement group");
    const paths = groups.map(({ spanId }) => pathOf(spanId));
    expect(paths).toContainEqual(["content: statement group", ...request]);
    expect(paths).toContainEqual(["orders: statement group", ...ordering]);

    // A request that its caller does not sample has no spans.
    const unsampled = `00-${"9".repeat(32)}-${CALLER_SPAN_ID}-00`;
    await tenant.key.get("/v1/orders", { traceparent: unsampled });
    await tenant.key.get("/v1/customers", { traceparent });
    await until("a later span", () => find("gateway", "GET /v1/customers").length === 1);
    expect(collector.spans.filter(({ traceId }) => traceId === "9".repeat(32))).toEqual([]);
  });

  test.each<CollectorBehaviour>(["hangs", "refuses"])(
    "a collector that %s gets one request at a time, and what it does not take is dropped and counted",
    async (behaviour) => {
      const broken = await startCollector(behaviour);
      const metrics = createMetrics("test");
      const logger = createLogger("test", "silent");
      const tracer = startTracer({ service: "test", endpoint: `${broken.url}/`, metrics, logger });
      const SPANS = 10_000;
      const span = {
        name: "x",
        kind: "internal" as const,
        parent: undefined,
        attributes: {},
        hasFailed: false,
      };
      for (let count = 0; count < SPANS; count += 1)
        tracer.record({ ...span, traceparent: newTraceparent(), durationMs: 1 });
      await until("a request", () => broken.requestCount() > 0);
      if (behaviour === "hangs") expect(broken.requestCount()).toBe(1);
      await tracer.stop();
      expect(await metrics.text()).toMatch(
        new RegExp(`^otlp_spans_dropped_total\\{service="test"\\} ${SPANS}$`, "m"),
      );
      await broken.stop();
    },
  );
});
