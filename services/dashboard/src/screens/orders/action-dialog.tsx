// Carries out one action on the version of the order that the user has seen.
import type { DataOf } from "@tradepost/client/operations";
import { useId, useState } from "react";
import type { Failure } from "../../api/failure.ts";
import { useChange } from "../../data/operations.ts";
import { isUnpaid, ORDER_ACTIONS, type OrderAction, type OrderState } from "../../format/order-words.ts";
import { Button } from "../../ui/button.tsx";
import { FormDialog } from "../../ui/change-dialogs.tsx";
import { errorNote } from "../../ui/form.tsx";
import { Note } from "../../ui/note.tsx";
import { OrderStatus } from "../order-list/door.tsx";
import { ActionFields } from "./action-fields.tsx";
import { ACTIONS, bodyOf, type Operation, STALE } from "./actions.ts";
import { Entries } from "./timeline.tsx";
import type { TimelineEntry } from "./timeline-text.ts";

interface ActionDialogProps {
  readonly action: OrderAction;
  readonly order: DataOf<"getOrder">;
  readonly etag: string | undefined;
  readonly timeline: readonly TimelineEntry[];
  readonly onClose: () => void;
  readonly onOther: (action: OrderAction) => void;
}

export function ActionDialog({ action, order, etag, timeline, onClose, onOther }: ActionDialogProps) {
  const [seen] = useState({ order, etag });
  const { operation, title, text, done, isDanger } = ACTIONS[action];
  const change = useChange<Operation>(operation, {
    stale: STALE,
    done: (after) => `Order ${after.orderNumber} ${done(after)}.`,
    onDone: onClose,
  });
  const state = stateAfter(change.error, seen.order, order);
  // After a 412 the user has seen the difference, so the next try is for the current version.
  const version = change.error?.status === 412 ? etag : seen.etag;
  const submit = (form: FormData) =>
    change.mutate({ path: { id: order.id }, body: bodyOf(action, form), ifMatch: version });
  const isPossible = state === null || state.allowedActions.includes(action);
  const warningId = useId();
  const isWarned =
    action === "fulfill" && isPossible && order.allowedActions.includes(action) && isUnpaid(order);
  return (
    <FormDialog
      title={title(seen.order.orderNumber)}
      describedBy={isWarned ? warningId : undefined}
      isWide={action === "fulfill" || action === "refund"}
      action={isPossible ? ORDER_ACTIONS[action] : undefined}
      look={isDanger ? "danger" : "primary"}
      otherwise={action.startsWith("cancel") ? "Keep the order" : "Cancel"}
      change={change}
      explain={(failure, details) =>
        state === null ? (
          errorNote(failure, details)
        ) : (
          <Moved
            action={action}
            state={state}
            since={timeline.filter((entry) => entry.version > seen.order.version)}
            currency={order.currency}
            onOther={onOther}
          />
        )
      }
      // A reference that was used with another amount.
      conflicts={{ reference_reused: "reference" }}
      onSubmit={submit}
      onClose={onClose}
    >
      {isWarned && (
        <Note id={warningId} tone="warning" title="This order is not paid">
          <p>It can be shipped all the same, and paid later.</p>
        </Note>
      )}
      <p>{text}</p>
      <ActionFields action={action} order={seen.order} />
    </FormDialog>
  );
}

interface MovedProps {
  readonly action: OrderAction;
  readonly state: OrderState;
  readonly since: readonly TimelineEntry[];
  readonly currency: string;
  readonly onOther: (action: OrderAction) => void;
}

/** Somebody else has changed the order: shows the changes, and the actions that are possible now. */
function Moved({ action, state, since, currency, onOther }: MovedProps) {
  const others = state.allowedActions.filter((one) => one !== action);
  return (
    <Note tone="warning" title="The order has changed meanwhile" isAlert>
      <p className="row">
        It is now: <OrderStatus {...state} />
      </p>
      {since.length > 0 && <Entries entries={since} currency={currency} />}
      {state.allowedActions.includes(action) ? (
        <p>Nothing was done yet. If “{ORDER_ACTIONS[action]}” is still right, press it again.</p>
      ) : (
        <>
          <p>
            “{ORDER_ACTIONS[action]}” is no longer possible.
            {others.length > 0 ? " Possible now:" : " Nothing else can be done with it."}
          </p>
          {others.length > 0 && (
            <div className="row">
              {others.map((other) => (
                <Button text={ORDER_ACTIONS[other]} key={other} onClick={() => onOther(other)} />
              ))}
            </div>
          )}
        </>
      )}
    </Note>
  );
}

type Order = DataOf<"getOrder">;

/** `seen` is the order as the user has seen it, `now` as it was read last. Null if the order is not the reason of the refusal. */
function stateAfter(failure: Failure | null, seen: Order, now: Order): OrderState | null {
  if (failure?.status === 412) return now.version === seen.version ? null : now;
  if (failure?.status !== 409 || failure.code === "reference_reused") return null;
  const { state } = failure.error;
  return isState(state) ? state : null;
}

function isState(value: unknown): value is OrderState {
  return typeof value === "object" && value !== null && "allowedActions" in value;
}
