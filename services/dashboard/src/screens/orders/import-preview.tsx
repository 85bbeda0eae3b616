// Shows what an import would do, before it starts: the platform tries the orders, and places none.
import { useMutation } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import type { Failure } from "../../api/failure.ts";
import { useCustomerNames } from "../../data/use-names.ts";
import { number } from "../../format/shop.ts";
import { counted } from "../../format/words.ts";
import { Button } from "../../ui/button.tsx";
import { type Column, Table } from "../../ui/list.tsx";
import { ErrorNote } from "../../ui/note.tsx";
import { Progress } from "../../ui/progress.tsx";
import { Section } from "../../ui/screen.tsx";
import { Amount } from "../../ui/value.tsx";
import { createCustomers, type FoundCustomers, findCustomers } from "./find-customers.ts";
import type { ImportItem, NamedCustomer } from "./import-rows.ts";
import { RefusedOrders } from "./refused-orders.tsx";
import { type AcceptedOrder, type RefusedOrder, useImport } from "./use-import.ts";

interface ImportPreviewProps {
  readonly items: readonly ImportItem[];
  readonly columns: readonly string[];
  readonly onPlace: (items: readonly ImportItem[], refused: readonly RefusedOrder[]) => void;
  readonly onBack: () => void;
}

const STATUSES = {
  running: "The orders are being checked. None is placed yet.",
  waiting: "Tradepost cannot be reached. The check goes on by itself.",
  stopped: "The check is stopped.",
  over: "The orders are checked. None is placed yet.",
} as const;

export function ImportPreview({ items, columns, onPlace, onBack }: ImportPreviewProps) {
  const trial = useImport({ isTrial: true });
  const customers = useFoundCustomers(items, trial);
  const { state } = trial;
  const back = <Button text="Change the columns" onClick={onBack} />;
  if (customers.error)
    return (
      <>
        <ErrorNote failure={customers.error} details={customers.error.details} onRetry={customers.retry} />
        {back}
      </>
    );
  if (state === null)
    return (
      <>
        <Progress label="Customers" done={customers.done} total={customers.total} />
        {back}
      </>
    );
  const { total, done, refused, accepted, status, error } = state;
  return (
    <>
      <Progress label="Orders checked" done={done} total={total} />
      <p role="status">
        {STATUSES[status]} {number(accepted.length)} can be placed, {number(refused.length)} are refused.
      </p>
      {error && <ErrorNote failure={error} details={error.details} onRetry={trial.goOn} />}
      <div className="row">
        {status === "over" && accepted.length > 0 && (
          <Button
            text={`Place ${counted(accepted.length, "order")}`}
            look="primary"
            onClick={() =>
              onPlace(
                accepted.map(({ item }) => item),
                refused,
              )
            }
          />
        )}
        {status === "over" && customers.missing.length > 0 && (
          <Button
            text={`Create ${counted(customers.missing.length, "missing customer")}`}
            onClick={customers.createMissing}
          />
        )}
        {back}
      </div>
      {accepted.length > 0 && <Accepted accepted={accepted} />}
      {refused.length > 0 && <RefusedOrders refused={refused} columns={columns} />}
    </>
  );
}

const SHOWN_MAX = 10;

function Accepted({ accepted }: { readonly accepted: readonly AcceptedOrder[] }) {
  const rows = accepted.slice(0, SHOWN_MAX).map((one) => ({ ...one, id: one.order.id }));
  const customers = useCustomerNames(rows.map(({ order }) => order.customerId));
  const columns: Column<(typeof rows)[number]>[] = [
    { name: "Order", cell: ({ item }) => <bdi className="lines">{item.name}</bdi> },
    { name: "Customer", cell: ({ order }) => <bdi>{customers.get(order.customerId)?.name ?? "…"}</bdi> },
    {
      name: "Items",
      cell: ({ order: { items } }) => (
        <div className="lines">
          {items.map(({ id, quantity, name }) => (
            <span key={id}>
              {number(quantity)} × <bdi>{name}</bdi>
            </span>
          ))}
        </div>
      ),
    },
    {
      name: "Total",
      isNumber: true,
      cell: ({ order: { payableTotal, currency } }) => <Amount amount={payableTotal} currency={currency} />,
    },
  ];
  return (
    <Section
      title="Preview"
      intro={
        accepted.length > SHOWN_MAX ? `The first ${SHOWN_MAX} orders, as they would be placed.` : undefined
      }
    >
      <Table caption="Preview" columns={columns} rows={rows} />
    </Section>
  );
}

/** Finds the customers of the orders, and then tries the orders. Does so again after missing customers are created. */
function useFoundCustomers(items: readonly ImportItem[], { start, reset }: ReturnType<typeof useImport>) {
  const [progress, setProgress] = useState({ done: 0, total: 0 });
  const abort = useRef<AbortController>(null);
  const find = useMutation<FoundCustomers, Failure, readonly NamedCustomer[]>({
    // Without a connection it fails at once: customers must not be created much later, after the user has left the screen.
    networkMode: "always",
    mutationFn: async (created) => {
      abort.current = new AbortController();
      const options = {
        signal: abort.current.signal,
        onProgress: (done: number, total: number) => setProgress({ done, total }),
      };
      return await findCustomers(items, options, await createCustomers(created, options));
    },
  });
  const run = (created: readonly NamedCustomer[]) =>
    find.mutate(created, { onSuccess: (found) => start(found.items, found.refused) });
  const begin = useRef(run);
  useEffect(() => {
    begin.current([]);
    return () => abort.current?.abort();
  }, []);
  const missing = find.data?.missing ?? [];
  const createMissing = () => {
    reset();
    run(missing);
  };
  return { ...progress, error: find.error, missing, retry: () => run([]), createMissing };
}
