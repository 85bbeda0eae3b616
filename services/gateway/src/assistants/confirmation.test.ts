import { randomBytes } from "node:crypto";
import { signerFor } from "../identity/signer.ts";
import { CONFIRMATION_BYTES, type Confirmable, confirmationOf, confirmedBy } from "./confirmation.ts";

const NOW = Date.parse("2026-11-22T12:00:00.000Z");
const MINUTE_MS = 60_000;
const key = { id: "k1", secret: randomBytes(32) };
const signer = signerFor("mcp confirmation", [key], CONFIRMATION_BYTES);
const refund: Confirmable = {
  action: "refund",
  tenantId: "t",
  actorId: "a",
  orderId: "01a204a0-0095-7333-a013-c19b41c23477",
  boundArguments: { amount: 12.5 },
};
const seen = { version: 3, amount: 12.5 };
const { confirm, expiresAt } = confirmationOf(refund, seen, signer, NOW);

describe("a confirmation", () => {
  test("confirms what it was made for, for 15 minutes", () => {
    expect(confirmedBy(confirm, refund, signer, NOW)).toEqual(seen);
    expect(confirmedBy(confirm, refund, signer, NOW + 15 * MINUTE_MS - 1)).toEqual(seen);
    expect(confirmedBy(confirm, refund, signer, NOW + 15 * MINUTE_MS)).toBeNull();
    expect(expiresAt).toBe("2026-11-22T12:15:00.000Z");
    const later = confirmationOf(refund, seen, signer, NOW + 1);
    expect(later.expiresAt).toBe(expiresAt);
    const upperCase = { ...refund, orderId: refund.orderId.toUpperCase() };
    expect(confirmedBy(confirm, upperCase, signer, NOW)).toEqual(seen);
  });

  test("of a cancellation has no amount", () => {
    const cancel: Confirmable = { ...refund, action: "cancel", boundArguments: {} };
    const given = confirmationOf(cancel, { version: 1, amount: null }, signer, NOW);
    expect(confirmedBy(given.confirm, cancel, signer, NOW)).toEqual({ version: 1, amount: null });
  });

  test.each<[string, Partial<Confirmable>]>([
    ["action", { action: "cancel" }],
    ["tenant", { tenantId: "u" }],
    ["caller", { actorId: "b" }],
    ["order", { orderId: "01a204a0-0095-7333-a013-c19b41c23478" }],
    ["amount argument", { boundArguments: { amount: 12.51 } }],
    ["division into tenant and caller", { tenantId: "ta", actorId: "" }],
    ["missing amount argument", { boundArguments: {} }],
  ])("does not confirm another %s", (_, changed) => {
    expect(confirmedBy(confirm, { ...refund, ...changed }, signer, NOW)).toBeNull();
  });

  test("is void if any character of it changes, so version, amount and time cannot be chosen", () => {
    // The last character is left out, because some of its bits encode nothing.
    for (let at = 0; at < confirm.length - 1; at += 1) {
      const changed = confirm.slice(0, at) + (confirm[at] === "7" ? "8" : "7") + confirm.slice(at + 1);
      expect([changed, confirmedBy(changed, refund, signer, NOW)]).toEqual([changed, null]);
    }
  });

  const wrong = ["", "yes", "true", "3:12.5:1:x", `${confirm}:`, `${confirm}\n`, "9".repeat(200)];
  test.each(wrong)("is not %p", (text) => {
    expect(confirmedBy(text, refund, signer, NOW)).toBeNull();
  });

  test("is not a signature for another purpose", () => {
    const cookies = signerFor("device cookie", [key], CONFIRMATION_BYTES);
    expect(confirmedBy(confirmationOf(refund, seen, cookies, NOW).confirm, refund, signer, NOW)).toBeNull();
  });
});
