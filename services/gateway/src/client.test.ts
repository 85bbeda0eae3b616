import type { IncomingMessage } from "node:http";
import { createMetrics, type Logger } from "@tradepost/runtime";
import { clientOf, clientReader, limitKeyOf } from "./client.ts";

function request(remoteAddress: string | undefined, headers: Record<string, string> = {}) {
  return { headers, socket: { remoteAddress } } as unknown as IncomingMessage;
}

describe("the address of a client", () => {
  const forwarded = (list: string, hops: number) =>
    clientOf(request("10.0.0.1", { "x-forwarded-for": list }), hops).ip;

  test("is the socket's, whatever the header says, if PROXY_HOPS is 0", () => {
    expect(forwarded("6.6.6.6", 0)).toBe("10.0.0.1");
  });

  test("is the entry of the header as many hops from the right as there are proxies", () => {
    expect(forwarded("6.6.6.6, 203.0.113.1", 1)).toBe("203.0.113.1");
    expect(forwarded("6.6.6.6, 203.0.113.1, 10.0.0.2", 2)).toBe("203.0.113.1");
  });

  test("is the leftmost entry if the list is shorter, and the socket's if the entry is not an address", () => {
    expect(forwarded("203.0.113.1", 3)).toBe("203.0.113.1");
    for (const list of ["", "unknown", "203.0.113.1:80", "1.2.3.4<script>", `${"9".repeat(5_000)}`]) {
      expect(forwarded(list, 1)).toBe("10.0.0.1");
    }
  });

  test("is the IPv4 address of an IPv4-mapped IPv6 address", () => {
    expect(clientOf(request("::ffff:192.0.2.7"), 0).ip).toBe("192.0.2.7");
    expect(forwarded("::FFFF:c000:0207", 1)).toBe("192.0.2.7");
  });

  test("is null for a closed socket", () => {
    expect(clientOf(request(undefined), 1)).toEqual({ ip: null, userAgent: null });
  });
});

test("a user agent loses control characters and is cut to 256 characters", () => {
  const agentOf = (text: string) => clientOf(request("::1", { "user-agent": text }), 0).userAgent;
  expect(agentOf("Mozilla\t\u007f\u0085/5.0")).toBe("Mozilla/5.0");
  expect(agentOf("x".repeat(10_000))).toBe("x".repeat(256));
  expect(agentOf("")).toBeNull();
});

describe("the key by which an address is limited", () => {
  const keyOf = (address: string | undefined) => limitKeyOf(clientOf(request(address), 0));

  test("is the same for all addresses of an IPv6 /64, and different for each IPv4 address", () => {
    expect(keyOf("2001:db8:1:2::1")).toBe(keyOf("2001:db8:1:2:ffff:ffff:ffff:ffff"));
    expect(keyOf("2001:db8:1:2::1")).not.toBe(keyOf("2001:db8:1:3::1"));
    expect(keyOf("192.0.2.1")).not.toBe(keyOf("192.0.2.2"));
    expect(keyOf("::ffff:192.0.2.1")).toBe(keyOf("192.0.2.1"));
  });

  test("is short, also for an unknown address", () => {
    expect(keyOf(undefined)).toBe("unknown");
    expect(keyOf("2001:db8:1:2:3:4:5:6").length).toBeLessThan(30);
  });
});

describe("a request with X-Forwarded-For", () => {
  function watch(proxyHops: number) {
    const warnings: unknown[] = [];
    const logger = { warn: (...line: unknown[]) => void warnings.push(line) } as unknown as Logger;
    const metrics = createMetrics("test");
    const clock = { ms: 0 };
    const note = clientReader({ proxyHops, logger, metrics, now: () => clock.ms });
    const arrive = (headers: Record<string, string>) => note(request("10.0.0.1", headers));
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
