// Finds the order's current state after a refusal that it explains. Pure.
import type { DataOf } from "@tradepost/client/operations";
import type { Failure } from "../../api/failure.ts";
import type { OrderState } from "../../format/order-words.ts";

type Order = DataOf<"getOrder">;

/** `seen` is the order as the user has seen it, `now` as it was read last. Null if the order is not the reason of the refusal. */
export function stateAfter(failure: Failure | null, seen: Order, now: Order): OrderState | null {
  if (failure?.status === 412) return now.version === seen.version ? null : now;
  if (failure?.status !== 409 || failure.code === "reference_reused") return null;
  const { state } = failure.error;
  return isState(state) ? state : null;
}

function isState(value: unknown): value is OrderState {
  return typeof value === "object" && value !== null && "allowedActions" in value;
}
