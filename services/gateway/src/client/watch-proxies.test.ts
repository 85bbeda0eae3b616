import type { IncomingMessage } from "node:http";
import { describe, expect, test } from "@jest/globals";
import { createMetrics, type Logger } from "@tradepost/runtime";
import { watchProxies } from "./watch-proxies.ts";

describe("a request with X-Forwarded-For", () => {
  function watch(proxyHops: number) {
    const warnings: unknown[] = [];
    const logger = { warn: (...line: unknown[]) => void warnings.push(line) } as unknown as Logger;
    const metrics = createMetrics("test");
    const clock = { ms: 0 };
    const note = watchProxies({ proxyHops, logger, metrics, now: () => clock.ms });
    const arrive = (headers: Record<string, string>) =>
      note({ headers, socket: { remoteAddress: "10.0.0.1" } } as unknown as IncomingMessage);
    const counted = async () => /^forwarded_for_ignored_total\{.*\} (\d+)$/m.exec(await metrics.text())?.[1];
    return { warnings, clock, arrive, counted };
  }

  test("is counted if PROXY_HOPS is 0, and warned about at most once a minute", async () => {
    const { warnings, clock, arrive, counted } = watch(0);
    arrive({});
    expect(warnings).toHaveLength(0);
    for (let count = 0; count < 3; count += 1) arrive({ "x-forwarded-for": "203.0.113.1" });
    expect(warnings).toHaveLength(1);
    expect(JSON.stringify(warnings)).toContain("PROXY_HOPS is 0");
    clock.ms = 59_999;
    arrive({ "x-forwarded-for": "203.0.113.1" });
    expect(warnings).toHaveLength(1);
    clock.ms = 60_000;
    arrive({ "x-forwarded-for": "203.0.113.1" });
    expect(warnings).toHaveLength(2);
    expect(await counted()).toBe("5");
  });

  test("is neither counted nor warned about if PROXY_HOPS is set", async () => {
    const { warnings, arrive, counted } = watch(1);
    arrive({ "x-forwarded-for": "203.0.113.1" });
    expect([warnings, await counted()]).toEqual([[], "0"]);
  });
});
