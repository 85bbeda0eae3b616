import { type Attempt, explainDelivery, failedPhase } from "./explain-delivery.ts";

const attempt = (outcome: string, more: Partial<Attempt> = {}): Attempt => ({
  ...{ outcome, statusCode: null, address: "203.0.113.7", isReusedConnection: false },
  ...{ phases: { connectMs: 12, tlsMs: 25 }, ...more },
});

test.each([
  [attempt("timeout", { phases: { connectMs: null, tlsMs: null } }), "connect"],
  [attempt("connection_reset", { phases: { connectMs: 12, tlsMs: null } }), "tls"],
  [attempt("timeout"), "response"],
  [attempt("timeout", { isReusedConnection: true, phases: { connectMs: null, tlsMs: null } }), "response"],
  [attempt("dns_failed", { address: null }), "dns"],
  [attempt("address_refused", { address: null }), null],
  [attempt("http_status", { statusCode: 500 }), null],
  [attempt("timeout", { address: null }), null],
  [{ outcome: "timeout", statusCode: null }, null],
])("the failed phase of %j is %s", (last, phase) => {
  expect(failedPhase(last)).toBe(phase);
});

test("a timeout is explained by its phase", () => {
  const explained = (connectMs: number | null) =>
    explainDelivery(
      { status: "failed", nextAttemptAt: null },
      attempt("timeout", { phases: { connectMs, tlsMs: null } }),
    );
  expect(explained(null)).toMatch(/^The receiver's address did not accept a connection in time\./);
  expect(explained(12)).toMatch(/^The receiver accepted a connection, but did not end the TLS handshake/);
});
