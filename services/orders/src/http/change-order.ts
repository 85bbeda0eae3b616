// POST /v1/orders/{id}/payments, /fulfill, /deliver, /cancel and /refund: applies the action to the order; the event is
// that of the transition.
import type { ApiRequest } from "@tradepost/http";
import { withIdempotencyKey } from "@tradepost/idempotency";
import type { Action, ActionInput, ActionName } from "../order/action-input.ts";
import { applyAction } from "../order/apply-action.ts";
import type { Orders } from "./context.ts";

export function changeOrder<Name extends ActionName>({ tenants, onCommit }: Orders, name: Name) {
  return withIdempotencyKey(tenants, async (tenant, request: ApiRequest<ActionInput<Name>, undefined>) => {
    // The route has validated the body with the schema of this name.
    const action = { name, ...request.body } as unknown as Action;
    const { id, idempotencyKey, raw } = request;
    const conditions = { idempotencyKey, ifMatch: raw.headers["if-match"] };
    const response = await applyAction(tenant, id, action, conditions, request);
    onCommit();
    return response;
  });
}
