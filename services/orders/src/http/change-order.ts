// POST /v1/orders/{id}/payments, /fulfill, /deliver, /cancel and /refund
import { withIdempotencyKey } from "../idempotency/with-idempotency-key.ts";
import type { Action, ActionInput, ActionName } from "../order/action-input.ts";
import { applyAction } from "../order/apply-action.ts";
import type { Orders } from "./context.ts";

export function changeOrder<Name extends ActionName>({ tenants, onCommit }: Orders, name: Name) {
  return withIdempotencyKey<ActionInput<Name>>(tenants, async (tenant, request) => {
    // The route has validated the body with the schema of this name.
    const action = { name, ...request.body } as unknown as Action;
    const response = await applyAction(tenant, action, request);
    onCommit();
    return response;
  });
}
