import { Link } from "@tanstack/react-router";
import type { DataOf, ItemOf } from "@tradepost/client/operations";
import { useId, useState } from "react";
import { explain } from "../../api/explain.ts";
import { sentence } from "../../api/field-errors.ts";
import type { Input } from "../../api/send.ts";
import type { BulkResult } from "../../data/bulk-run.ts";
import { holderOf, useMe } from "../../data/me.ts";
import { type Bulk, useBulk } from "../../data/use-bulk.ts";
import { isUnpaid, type OrderAction } from "../../format/order-words.ts";
import { request } from "../../session/request.ts";
import { isAllowed } from "../../session/roles.ts";
import { Badge } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { Dialog, DialogActions } from "../../ui/dialog.tsx";
import { ExportButton } from "../../ui/export-button.tsx";
import { Form } from "../../ui/form.tsx";
import { Menu, MenuItem } from "../../ui/menu.tsx";
import { Note } from "../../ui/note.tsx";
import { usePrinter } from "../../ui/paper.tsx";
import { Progress } from "../../ui/progress.tsx";
import { SelectAll } from "../../ui/select-all.tsx";
import { type Column, Table } from "../../ui/table.tsx";
import { Reason, Text } from "./action-fields.tsx";
import { ACTIONS, type ActionBody, bodyOf, type Operation, STALE } from "./actions.ts";
import { type PaperKind, PrintedOrders } from "./printed-orders.tsx";

type Order = ItemOf<"listOrders">;

interface SelectedOrdersProps {
  readonly orders: readonly Order[];
  readonly ids: ReadonlySet<string>;
  readonly customers: ReadonlyMap<string, DataOf<"getCustomer">>;
  readonly onSelect: (ids: ReadonlySet<string>) => void;
  readonly onAction: (action: BulkAction, selected: readonly Order[]) => void;
}

// The most ids that a request takes.
const EXPORTED_MAX = 100;

export function SelectedOrders({ orders, ids, customers, onSelect, onAction }: SelectedOrdersProps) {
  const me = useMe();
  const { print, paper } = usePrinter();
  const selected = orders.filter(({ id }) => ids.has(id));
  const isEditor = isAllowed(holderOf(me), { role: "editor" });
  const printAs = (kind: PaperKind) =>
    print(
      <PrintedOrders
        kind={kind}
        shop={me.tenant.name}
        orders={selected.map((order) => ({ order, customer: customers.get(order.customerId) }))}
      />,
    );
  return (
    <>
      <SelectAll
        label="Selected orders"
        shown={orders.length}
        ticked={selected.length}
        onChange={(isTicked) => onSelect(new Set(isTicked ? orders.map(({ id }) => id) : []))}
      >
        {isEditor &&
          (Object.keys(BULK_ACTIONS) as BulkAction[]).map((name) => (
            <Button key={name} onClick={() => onAction(name, selected)}>
              {BULK_ACTIONS[name]}
            </Button>
          ))}
        {selected.length <= EXPORTED_MAX && (
          <ExportButton
            operation="exportOrders"
            query={{ ids: selected.map(({ id }) => id) }}
            name="orders"
          />
        )}
        <Menu label="More actions for the selected orders">
          <MenuItem onClick={() => printAs("slip")}>Print packing slips</MenuItem>
          <MenuItem onClick={() => printAs("receipt")}>Print receipts</MenuItem>
        </Menu>
      </SelectAll>
      {paper}
    </>
  );
}

type BulkAction = Extract<OrderAction, "fulfill" | "deliver" | "cancel">;

const BULK_ACTIONS: Readonly<Record<BulkAction, string>> = {
  fulfill: "Fulfill",
  deliver: "Mark as delivered",
  cancel: "Cancel orders",
};

interface BulkDialogProps {
  readonly action: BulkAction;
  readonly orders: readonly Order[];
  readonly onClose: () => void;
}

export function BulkDialog({ action, orders, onClose }: BulkDialogProps) {
  // The list below changes while the dialog is open.
  const [{ possible, others }] = useState(() => ({
    possible: orders.filter(({ allowedActions }) => allowedActions.includes(action)),
    others: orders.filter(({ allowedActions }) => !allowedActions.includes(action)),
  }));
  const [body, setBody] = useState<ActionBody>({});
  const { state, run, stop } = useBulk(possible, STALE);
  const { operation } = ACTIONS[action];
  const send =
    (given: ActionBody) =>
    ({ id }: Order, options: { readonly idempotencyKey: string }) =>
      request<Operation>(operation, { path: { id }, body: given } as Input<Operation>, options);
  const unpaid = action === "fulfill" ? possible.filter(isUnpaid) : [];
  const [othersId, unpaidId] = [useId(), useId()];
  const warnings = [others.length > 0 && othersId, unpaid.length > 0 && unpaidId].filter(Boolean);
  const isDanger = ACTIONS[action].isDanger ?? false;
  const start = (form: FormData) => {
    const given = bodyOf(action, form);
    setBody(given);
    void run(send(given));
  };
  const verb = action === "cancel" ? "Cancel" : BULK_ACTIONS[action];
  const title = `${verb} ${countOf(possible.length)}${state === null ? "?" : ""}`;
  if (state !== null)
    return (
      <Dialog title={title} onClose={onClose} isDismissable={!state.isRunning} isWide>
        <Results orders={possible} state={state} />
        <DialogActions>
          {state.isRunning ? (
            <Button onClick={stop}>Stop</Button>
          ) : (
            <>
              {doneIn(state) < possible.length && (
                <Button onClick={() => run(send(body), state.results)}>Try the others again</Button>
              )}
              <Button look="primary" onClick={onClose}>
                Close
              </Button>
            </>
          )}
        </DialogActions>
      </Dialog>
    );
  return (
    <Dialog title={title} onClose={onClose} describedBy={warnings.join(" ") || undefined}>
      <Form failure={null} onSubmit={start}>
        <OrdersWarning id={othersId} orders={others} title="left out" text="Their state does not allow it" />
        <OrdersWarning id={unpaidId} orders={unpaid} title="not paid" text="Fulfilled all the same" />
        <p>{ACTIONS[action].text}</p>
        {possible.length > 0 && action === "cancel" && <Reason error={undefined} />}
        {possible.length > 0 && action === "fulfill" && (
          <Text name="carrier" label="Carrier" hint="For all of them." errors={{}} />
        )}
        <DialogActions>
          <Button onClick={onClose}>{action === "cancel" ? "Keep the orders" : "Cancel"}</Button>
          {possible.length > 0 && (
            <Button type="submit" look={isDanger ? "danger" : "primary"}>
              {verb} {countOf(possible.length)}
            </Button>
          )}
        </DialogActions>
      </Form>
    </Dialog>
  );
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
    <Note id={id} tone="warning" title={`${countOf(orders.length)} ${title}`}>
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

function countOf(orders: number): string {
  return orders === 1 ? "1 order" : `${orders.toLocaleString("en")} orders`;
}
