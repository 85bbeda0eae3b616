// The actions on an order. The platform says which ones its state allows.
import { useNavigate } from "@tanstack/react-router";
import type { DataOf } from "@tradepost/client/operations";
import { useState } from "react";
import { useIsAllowed } from "../../data/me.ts";
import { useRead } from "../../data/operations.ts";
import { textsOf } from "../../format/address.ts";
import { missingActions, ORDER_ACTIONS, type OrderAction } from "../../format/order-words.ts";
import { Button } from "../../ui/button.tsx";
import { ChangeDialog, DialogButton } from "../../ui/change-dialogs.tsx";
import { AreaField } from "../../ui/field.tsx";
import { MenuItem } from "../../ui/menu.tsx";
import { ScreenActions, ScreenMenu } from "../../ui/screen.tsx";
import { ActionDialog } from "./action-dialog.tsx";
import { AddressFields, addressTextsIn } from "./address-fields.tsx";
import { ADDRESSES, changesOf, differences, type Edited, NOTES } from "./edit.ts";
import { usePrinter } from "./printed-orders.tsx";
import type { TimelineEntry } from "./timeline-text.ts";

interface OrderActionsProps {
  readonly order: DataOf<"getOrder">;
  readonly etag: string | undefined;
  readonly timeline: readonly TimelineEntry[];
}

export function OrderActions(props: OrderActionsProps) {
  const isEditor = useIsAllowed({ role: "editor" });
  return (
    <ScreenActions>
      {isEditor && <Actions {...props} />}
      <OtherActions order={props.order} isEditor={isEditor} />
    </ScreenActions>
  );
}

function Actions({ order, etag, timeline }: OrderActionsProps) {
  const [open, setOpen] = useState<OrderAction | null>(null);
  const actions = inOrder(order.allowedActions);
  return (
    <>
      {actions.map((action, index) => (
        <Button
          text={ORDER_ACTIONS[action]}
          key={action}
          look={index === 0 && GOES_ON.has(action) ? "primary" : "plain"}
          onClick={() => setOpen(action)}
        />
      ))}
      <DialogButton text="Edit">
        <EditOrderDialog order={order} etag={etag} />
      </DialogButton>
      {open !== null && (
        <ActionDialog
          key={open}
          action={open}
          order={order}
          etag={etag}
          timeline={timeline}
          onClose={() => setOpen(null)}
          onOther={setOpen}
        />
      )}
    </>
  );
}

const GOES_ON: ReadonlySet<OrderAction> = new Set(["payments", "fulfill", "deliver"]);

interface OtherActionsProps extends Pick<OrderActionsProps, "order"> {
  readonly isEditor: boolean;
}

function OtherActions({ order, isEditor }: OtherActionsProps) {
  const navigate = useNavigate();
  const { data: customer } = useRead("getCustomer", { path: { id: order.customerId } });
  const { printOrders, paper } = usePrinter();
  const customers = new Map(customer && [[customer.id, customer]]);
  return (
    <>
      <Button text="Print packing slip" onClick={() => printOrders("slip", [order], customers)} />
      <ScreenMenu>
        {isEditor &&
          missingActions(order).map(({ action, reason }) => (
            <p key={action} className="menu-missing">
              {ORDER_ACTIONS[action]}: <span>{reason}.</span>
            </p>
          ))}
        <MenuItem text="Print receipt" onClick={() => printOrders("receipt", [order], customers)} />
        {isEditor && (
          <MenuItem
            text="New order for this customer"
            onClick={() => void navigate({ to: "/orders/new", search: { customerId: order.customerId } })}
          />
        )}
      </ScreenMenu>
      {paper}
    </>
  );
}

/** Sorts the actions: the next steps of an order first, refund and cancellation last. */
function inOrder(actions: readonly OrderAction[]): OrderAction[] {
  return (Object.keys(ORDER_ACTIONS) as OrderAction[]).filter((action) => actions.includes(action));
}

/** Edits the notes always, and the addresses while the order is placed. */
function EditOrderDialog({ order, etag }: Omit<OrderActionsProps, "timeline">) {
  const [seen] = useState(order);
  return (
    <ChangeDialog
      title={`Edit order ${seen.orderNumber}`}
      isWide
      action="Save"
      operation="updateOrder"
      input={(form) => {
        const body = changesOf(seen, editedIn(form, seen));
        return body && { path: { id: order.id }, body };
      }}
      etag={etag}
      differences={({ body = {} }) => differences(body, order)}
      stale={["getOrder", "listOrders", "getOrderTimeline"]}
      done={({ orderNumber }) => `Order ${orderNumber} is changed.`}
    >
      <EditFields order={seen} />
    </ChangeDialog>
  );
}

type Order = DataOf<"getOrder">;

const NOTE_CHARACTERS_MAX = 5_000;

function EditFields({ order }: { readonly order: Order }) {
  return (
    <>
      {NOTES.map(({ name, label }) => (
        <AreaField
          key={name}
          label={label}
          name={name}
          defaultValue={order[name]}
          maxLength={NOTE_CHARACTERS_MAX}
          dir="auto"
        />
      ))}
      {order.status === "placed" &&
        ADDRESSES.map(({ name, legend }) => (
          <AddressFields key={name} name={name} legend={legend} initial={textsOf(order[name])} />
        ))}
    </>
  );
}

function editedIn(form: FormData, { status }: Order): Edited {
  // Browsers send line breaks as CRLF.
  const text = (name: string) => String(form.get(name) ?? "").replaceAll("\r\n", "\n");
  const addresses = status === "placed" ? ADDRESSES : [];
  return {
    texts: { customerNote: text("customerNote"), internalNote: text("internalNote") },
    addresses: Object.fromEntries(addresses.map(({ name }) => [name, addressTextsIn(form, name)])),
  };
}
