// The history of an order as get_order shows it: the entries of its timeline, its payments and refunds. Pure.
import { plain, shownId, untrustedIfAny } from "./untrusted-text.ts";

/** An entry of the API's timeline. */
export interface Entry {
  readonly type: string;
  readonly createdAt: string;
  readonly version: number;
  readonly status: string;
  readonly paymentStatus: string;
  readonly actor: { readonly type: string; readonly name: string } | null;
  readonly requestId: string | null;
  readonly [details: string]: unknown;
}

export interface Payment {
  readonly kind: string;
  readonly status: string;
  readonly amount: number;
  readonly reference: string | null;
  readonly reason: string | null;
  readonly createdAt: string;
}

const REASON_CHARACTERS_MAX = 300;

/** The actor's name is that of a key or of a member of the staff, which administrators chose. */
export function shownEntry(entry: Entry) {
  const { actor, payment, refund, changed } = entry;
  return {
    at: entry.createdAt,
    type: entry.type,
    actor: actor === null ? null : { type: actor.type, name: plain(actor.name, 100) },
    status: entry.status,
    payment_status: entry.paymentStatus,
    version: entry.version,
    payment: shownAmount(payment),
    refund: shownAmount(refund),
    tracking_number: shownId(entry.trackingNumber),
    carrier: shownId(entry.carrier),
    reason: untrustedIfAny(entry.reason, REASON_CHARACTERS_MAX),
    changed,
    // Whoever sent the request may have chosen it.
    request_id: shownId(entry.requestId),
  };
}

export function shownPayment({ kind, status, amount, reference, reason, createdAt }: Payment) {
  return { kind, status, at: createdAt, ...shownAmount({ amount, reference, reason }) };
}

function shownAmount(paid: unknown) {
  if (typeof paid !== "object" || paid === null) return undefined;
  const { amount, status, reference, reason } = paid as Record<string, unknown>;
  return {
    amount,
    status,
    reference: shownId(reference),
    reason: untrustedIfAny(reason, REASON_CHARACTERS_MAX),
  };
}
