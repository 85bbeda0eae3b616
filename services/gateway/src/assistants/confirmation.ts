// The `confirm` value of a refund or a cancellation proves that the caller has seen what the action would do to this version of
// the order. It is signed and not stored, so that every replica accepts it. Pure.
import type { Signer } from "../identity/identity.ts";

export interface Confirmable {
  readonly action: "refund" | "cancel";
  readonly tenantId: string;
  readonly actorId: string;
  readonly orderId: string;
  /** A `confirm` value is valid only with these arguments. */
  readonly boundArguments: object;
}

export interface Confirmed {
  readonly version: number;
  /** Null for a plain cancellation, and for lines whose cost the service computes. */
  readonly amount: number | null;
}

// Long enough to ask a person.
const LIFETIME_SECONDS = 15 * 60;
export const CONFIRMATION_BYTES = 16;

export function confirmationOf(
  confirmable: Confirmable,
  confirmed: Confirmed,
  signer: Signer,
  nowMs: number,
) {
  const expiresAtSeconds = Math.floor(nowMs / 1000) + LIFETIME_SECONDS;
  const signature = signer.sign(messageOf(confirmable, confirmed, expiresAtSeconds));
  const { version, amount } = confirmed;
  return {
    confirm: [version, amount ?? "-", expiresAtSeconds, signature.toString("base64url")].join(":"),
    expiresAt: new Date(expiresAtSeconds * 1000).toISOString(),
  };
}

const CONFIRM = /^([1-9]\d{0,9}):(-|\d{1,11}(?:\.\d{1,4})?):(\d{10,12}):([\w-]{22})$/;

/** Returns null if the value is for another action, expired or forged. */
export function confirmedBy(confirm: string, confirmable: Confirmable, signer: Signer, nowMs: number) {
  const [, version = "", amount = "", expiresAt = "", signature = ""] = CONFIRM.exec(confirm) ?? [];
  const confirmed = { version: Number(version), amount: amount === "-" ? null : Number(amount) };
  const message = messageOf(confirmable, confirmed, Number(expiresAt));
  const isGenuine = signer.verify(message, Buffer.from(signature, "base64url"));
  return isGenuine && nowMs < Number(expiresAt) * 1000 ? confirmed : null;
}

// No part contains a newline, so the parts are unambiguous.
function messageOf(confirmable: Confirmable, { version, amount }: Confirmed, expiresAtSeconds: number) {
  const { action, tenantId, actorId, orderId, boundArguments } = confirmable;
  return [
    action,
    tenantId,
    actorId,
    orderId.toLowerCase(),
    version,
    amount ?? "-",
    JSON.stringify(boundArguments),
    expiresAtSeconds,
  ].join("\n");
}
