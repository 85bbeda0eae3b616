// Carries out one action on several orders, with a request for each, and shows what became of each.

import { Link } from "@tanstack/react-router";
import type { DataOf, ItemOf } from "@tradepost/client/operations";
import { useId, useRef, useState } from "react";
import { explain } from "../../api/explain.ts";
import { sentence } from "../../api/field-errors.ts";
import type { Input } from "../../api/send.ts";
import type { BulkResult } from "../../data/bulk-run.ts";
import { type Bulk, useBulk } from "../../data/use-bulk.ts";
import { isUnpaid, type OrderAction } from "../../format/order-words.ts";
import { counted } from "../../format/words.ts";
import { request } from "../../session/request.ts";
import { Badge } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { Dialog, DialogActions } from "../../ui/dialog.tsx";
import { Form } from "../../ui/form.tsx";
import { Note } from "../../ui/note.tsx";
import { usePrinter } from "../../ui/paper.tsx";
import { Progress } from "../../ui/progress.tsx";
import { type Column, Table } from "../../ui/table.tsx";
import { Reason } from "./action-fields.tsx";
import { ACTIONS, type ActionBody, bodyOf, type Operation, STALE } from "./actions.ts";
import { PrintedOrders } from "./printed-orders.tsx";
import { TrackingFields, trackingOf } from "./tracking-fields.tsx";

type Order = ItemOf<"listOrders">;
type Customers = ReadonlyMap<string, DataOf<"getCustomer">>;

export type BulkAction = Extract<OrderAction, "fulfill" | "deliver" | "cancel">;

export const BULK_ACTIONS: Readonly<Record<BulkAction, string>> = {
  fulfill: "Ship",
  deliver: "Mark as delivered",
  cancel: "Cancel orders",
};

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
  if (bulk.state !== null)
    return <RunDialog {...{ title, action, possible, onClose, ...bulk }} state={bulk.state} />;
  return (
    <Dialog title={title} onClose={onClose} describedBy={warnings.join(" ") || undefined} isWide={isShipping}>
      <Form failure={null} onSubmit={bulk.start} isLong={isShipping}>
        <OrdersWarning id={othersId} orders={others} title="left out" text="Their state does not allow it" />
        <OrdersWarning id={unpaidId} orders={unpaid} title="not paid" text="Shipped all the same" />
        <p>{ACTIONS[action].text}</p>
        {action === "cancel" && <Reason error={undefined} />}
        {isShipping && <TrackingFields orders={possible} customers={customers} />}
        <DialogActions>
          <Button onClick={onClose}>{action === "cancel" ? "Keep the orders" : "Cancel"}</Button>
          {isShipping && (
            <Button type="submit" name={PRINT} value="slips">
              Print and ship
            </Button>
          )}
          <Button type="submit" look={isDanger ? "danger" : "primary"}>
            {verb} {counted(possible.length, "order")}
          </Button>
        </DialogActions>
      </Form>
    </Dialog>
  );
}

interface RunDialogProps
  extends Pick<BulkDialogProps, "action" | "onClose">,
    Omit<ReturnType<typeof useBulkAction>, "state"> {
  readonly title: string;
  readonly possible: readonly Order[];
  readonly state: Bulk;
}

function RunDialog({ title, action, possible, state, onClose, ...bulk }: RunDialogProps) {
  return (
    <Dialog title={title} onClose={onClose} isDismissable={!state.isRunning} isWide>
      <Results orders={possible} state={state} />
      {bulk.paper}
      <DialogActions>
        {state.isRunning ? (
          <Button onClick={bulk.stop}>Stop</Button>
        ) : (
          <>
            {doneIn(state) < possible.length && <Button onClick={bulk.goOn}>Try the others again</Button>}
            {action === "fulfill" && doneIn(state) > 0 && (
              <Button onClick={bulk.print}>Print packing slips</Button>
            )}
            <Button look="primary" onClick={onClose}>
              Close
            </Button>
          </>
        )}
      </DialogActions>
    </Dialog>
  );
}

const PRINT = "print";

/** Packing slips are printed of the orders that are shipped, when all have their results. */
function useBulkAction(action: BulkAction, possible: readonly Order[], customers: Customers) {
  const { print, paper } = usePrinter();
  const { state, run, stop } = useBulk(possible, STALE);
  const body = useRef<(order: Order) => ActionBody>(() => ({}));
  const done = useRef(new Map<string, Order>());
  const send = async (order: Order, options: { readonly idempotencyKey: string }) => {
    const input = { path: { id: order.id }, body: body.current(order) } as Input<Operation>;
    done.current.set(order.id, (await request(ACTIONS[action].operation, input, options)).data);
  };
  const printDone = () => {
    const shipped = possible.flatMap(({ id }) => done.current.get(id) ?? []);
    if (shipped.length === 0) return;
    const orders = shipped.map((order) => ({ order, customer: customers.get(order.customerId) }));
    print(<PrintedOrders kind="slip" orders={orders} />);
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

function Results({ orders, state }: { readonly orders: readonly Order[]; readonly state: Bulk }) {
  const { results, isRunning } = state;
  const failed = results.size - doneIn(state);
  const columns: Column<Order>[] = [
    {
      name: "Order",
      isHeading: true,
      cell: ({ id, orderNumber }) => (
        <Link to="/orders/$orderId" params={{ orderId: id }} target="_blank">
          <bdi>{orderNumber}</bdi>
        </Link>
      ),
    },
    { name: "Result", cell: ({ id }) => <Result result={results.get(id)} isRunning={isRunning} /> },
  ];
  return (
    <>
      <Progress label="Orders" done={results.size} total={orders.length} />
      <p role="status">
        {isRunning ? "Working…" : results.size < orders.length ? "Stopped." : "Finished."} {doneIn(state)}{" "}
        done, {failed} failed.
      </p>
      <Table caption="Results" columns={columns} rows={orders} />
    </>
  );
}

interface ResultProps {
  readonly result: BulkResult | undefined;
  readonly isRunning: boolean;
}

function Result({ result, isRunning }: ResultProps) {
  if (result === undefined) return <span className="soft">{isRunning ? "Waiting" : "Not done"}</span>;
  if (result === null) return <Badge tone="good">Done</Badge>;
  return (
    <div className="lines">
      <Badge tone="danger">Failed</Badge>
      <span>{result.status === 0 ? explain(result).text : sentence(result.message)}</span>
    </div>
  );
}

function doneIn({ results }: Bulk): number {
  return [...results.values()].filter((result) => result === null).length;
}
