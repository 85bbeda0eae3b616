import type { ItemOf } from "@tradepost/client/operations";
import { useId, useRef, useState } from "react";
import type { Input } from "../../api/send.ts";
import { useBulk } from "../../data/use-bulk.ts";
import type { Customers } from "../../data/use-names.ts";
import { isUnpaid, type OrderAction } from "../../format/order-words.ts";
import { counted } from "../../format/words.ts";
import { request } from "../../session/request.ts";
import { doneIn, RunDialog } from "../../ui/bulk-dialogs.tsx";
import { Button, TextLink } from "../../ui/button.tsx";
import { Dialog, DialogActions } from "../../ui/dialog.tsx";
import { Form } from "../../ui/form.tsx";
import type { Column } from "../../ui/list.tsx";
import { Note } from "../../ui/note.tsx";
import { Reason } from "./action-fields.tsx";
import { ACTIONS, type ActionBody, bodyOf, type Operation, STALE } from "./actions.ts";
import { usePrinter } from "./printed-orders.tsx";
import { TrackingFields, trackingOf } from "./tracking-fields.tsx";

type Order = ItemOf<"listOrders">;

export type BulkAction = Extract<OrderAction, "fulfill" | "deliver" | "cancel">;

export const BULK_ACTIONS: Readonly<Record<BulkAction, string>> = {
  fulfill: "Ship",
  deliver: "Mark as delivered",
  cancel: "Cancel orders",
};

const COLUMNS: readonly Column<Order>[] = [
  {
    name: "Order",
    cell: ({ id, orderNumber }) => (
      <TextLink to="/orders/$orderId" params={{ orderId: id }} target="_blank" text={orderNumber} />
    ),
  },
];

interface BulkDialogProps {
  readonly action: BulkAction;
  readonly orders: readonly Order[];
  readonly customers: Customers;
  readonly onClose: () => void;
}

export function BulkDialog({ action, orders, customers, onClose }: BulkDialogProps) {
  // The list below changes while the dialog is open.
  const [{ possible, others }] = useState(() => ({
    possible: orders.filter(({ allowedActions }) => allowedActions.includes(action)),
    others: orders.filter(({ allowedActions }) => !allowedActions.includes(action)),
  }));
  const bulk = useBulkAction(action, possible, customers);
  const unpaid = action === "fulfill" ? possible.filter(isUnpaid) : [];
  const [othersId, unpaidId] = [useId(), useId()];
  const warnings = [others.length > 0 && othersId, unpaid.length > 0 && unpaidId].filter(Boolean);
  const isDanger = ACTIONS[action].isDanger ?? false;
  const isShipping = action === "fulfill";
  const verb = action === "cancel" ? "Cancel" : BULK_ACTIONS[action];
  const title = `${verb} ${counted(possible.length, "order")}${bulk.state === null ? "?" : ""}`;
  const { state } = bulk;
  if (state !== null)
    return (
      <>
        <RunDialog
          {...{ title, columns: COLUMNS, items: possible, state, onClose }}
          onStop={bulk.stop}
          onGoOn={bulk.goOn}
        >
          {isShipping && doneIn(state) > 0 && <Button text="Print packing slips" onClick={bulk.print} />}
        </RunDialog>
        {bulk.paper}
      </>
    );
  return (
    <Dialog title={title} onClose={onClose} describedBy={warnings.join(" ") || undefined} isWide={isShipping}>
      <Form failure={null} onSubmit={bulk.start} isLong={isShipping}>
        <OrdersWarning id={othersId} orders={others} title="left out" text="Their state does not allow it" />
        <OrdersWarning id={unpaidId} orders={unpaid} title="not paid" text="Shipped all the same" />
        <p>{ACTIONS[action].text}</p>
        {action === "cancel" && <Reason />}
        {isShipping && <TrackingFields orders={possible} customers={customers} />}
        <DialogActions>
          <Button text={action === "cancel" ? "Keep the orders" : "Cancel"} onClick={onClose} />
          {isShipping && <Button text="Print and ship" type="submit" name={PRINT} value="slips" />}
          <Button
            text={`${verb} ${counted(possible.length, "order")}`}
            type="submit"
            look={isDanger ? "danger" : "primary"}
          />
        </DialogActions>
      </Form>
    </Dialog>
  );
}

const PRINT = "print";

/** Prints packing slips of the shipped orders once all orders have results. */
function useBulkAction(action: BulkAction, possible: readonly Order[], customers: Customers) {
  const { printOrders, paper } = usePrinter();
  const { state, run, stop } = useBulk(possible, STALE);
  const body = useRef<(order: Order) => ActionBody>(() => ({}));
  const done = useRef(new Map<string, Order>());
  const send = async (order: Order, options: { readonly idempotencyKey: string }) => {
    const input = { path: { id: order.id }, body: body.current(order) } as Input<Operation>;
    done.current.set(order.id, (await request(ACTIONS[action].operation, input, options)).data);
  };
  const printDone = () => {
    const shipped = possible.flatMap(({ id }) => done.current.get(id) ?? []);
    if (shipped.length > 0) printOrders("slip", shipped, customers);
  };
  const start = async (form: FormData) => {
    body.current = action === "fulfill" ? trackingOf(form) : () => bodyOf(action, form);
    await run(send);
    if (form.has(PRINT)) printDone();
  };
  return { state, stop, paper, print: printDone, start, goOn: () => run(send, state?.results) };
}

interface OrdersWarningProps {
  readonly id: string;
  readonly orders: readonly Order[];
  readonly title: string;
  readonly text: string;
}

function OrdersWarning({ id, orders, title, text }: OrdersWarningProps) {
  if (orders.length === 0) return null;
  return (
    <Note id={id} tone="warning" title={`${counted(orders.length, "order")} ${title}`}>
      <p>
        {text}: {orders.map(({ orderNumber }) => orderNumber).join(", ")}.
      </p>
    </Note>
  );
}
