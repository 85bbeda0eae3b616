// Someone else has changed the order while the dialog was open: shows the changes, and the actions that are possible now.
import { ORDER_ACTIONS, type OrderAction, type OrderState } from "../../format/order-words.ts";
import { Button } from "../../ui/button.tsx";
import { Note } from "../../ui/note.tsx";
import { OrderStatus } from "../order-list/door.ts";
import { Entries } from "./timeline.tsx";
import type { TimelineEntry } from "./timeline-text.ts";

interface MovedProps {
  /** The action that was refused. */
  readonly action: OrderAction;
  readonly state: OrderState;
  /** The known changes since the order was shown. */
  readonly since: readonly TimelineEntry[];
  readonly currency: string;
  readonly onOther: (action: OrderAction) => void;
}

export function Moved({ action, state, since, currency, onOther }: MovedProps) {
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
                <Button key={other} onClick={() => onOther(other)}>
                  {ORDER_ACTIONS[other]}
                </Button>
              ))}
            </div>
          )}
        </>
      )}
    </Note>
  );
}
