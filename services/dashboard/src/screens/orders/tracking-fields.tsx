// A field for the tracking number of each order that is shipped. A barcode scanner, which ends with Enter, goes from one to the next.
import type { ItemOf } from "@tradepost/client/operations";
import { type ChangeEvent, type KeyboardEvent, useRef, useState } from "react";
import type { Customers } from "../../data/use-names.ts";
import { textOfFile } from "../../format/csv.ts";
import { counted } from "../../format/words.ts";
import { TextField } from "../../ui/field.tsx";
import { type Column, Table } from "../../ui/list.tsx";
import { Text } from "./action-fields.tsx";
import type { ActionBody } from "./actions.ts";
import { readTracking, repeatedNumber } from "./tracking.ts";

type Order = ItemOf<"listOrders">;

interface TrackingFieldsProps {
  readonly orders: readonly Order[];
  readonly customers: Customers;
}

const NUMBER = "trackingNumber ";
const CARRIER = "carrier ";
const CHARACTERS_MAX = 255;

export function TrackingFields({ orders, customers }: TrackingFieldsProps) {
  const fields = useRef<HTMLDivElement>(null);
  const [repeated, setRepeated] = useState<string>();
  const inputOf = (name: string) =>
    fields.current?.querySelector<HTMLInputElement>(`[name=${JSON.stringify(name)}]`);
  const check = () =>
    setRepeated(
      repeatedNumber(
        orders.map(({ id, orderNumber }) => ({
          orderNumber,
          text: inputOf(NUMBER + id)?.value.trim() ?? "",
        })),
      ),
    );
  const columns: Column<Order>[] = [
    { name: "Order", cell: ({ orderNumber }) => <bdi className="clamped">{orderNumber}</bdi> },
    {
      name: "Ship to",
      cell: ({ customerId, shippingAddress }) => (
        <bdi className="clamped">
          {[shippingAddress?.name ?? customers.get(customerId)?.name, shippingAddress?.city]
            .filter((text) => typeof text === "string")
            .join(", ")}
        </bdi>
      ),
    },
    { name: "Tracking number", cell: (order) => <NumberField order={order} onInput={check} /> },
  ];
  return (
    <div ref={fields} className="form">
      <div className="fields">
        <Text name="carrier" label="Carrier" hint="For all of them." />
        <FromFile
          onRead={(text) => {
            const read = readTracking(text, orders);
            if ("fault" in read) return read;
            for (const [id, { trackingNumber, carrier = "" }] of read.parcels) {
              const [number, by] = [inputOf(NUMBER + id), inputOf(CARRIER + id)];
              if (number) number.value = trackingNumber;
              if (by) by.value = carrier;
            }
            check();
            return read;
          }}
        />
      </div>
      <Table caption="Orders to ship" columns={columns} rows={orders} />
      <p className="field-error" role="status">
        {repeated && `${repeated}. Is that right?`}
      </p>
    </div>
  );
}

function NumberField({ order, onInput }: { readonly order: Order; readonly onInput: () => void }) {
  return (
    <>
      <input
        className="input"
        name={NUMBER + order.id}
        aria-label={`Tracking number of order ${order.orderNumber}`}
        maxLength={CHARACTERS_MAX}
        autoComplete="off"
        spellCheck={false}
        onKeyDown={goOn}
        onInput={onInput}
      />
      <input type="hidden" name={CARRIER + order.id} />
    </>
  );
}

/** An order has its carrier in the file, or else the typed carrier. */
export function trackingOf(form: FormData): (order: { readonly id: string }) => ActionBody {
  const text = (name: string) => String(form.get(name) ?? "").trim();
  return ({ id }) => {
    const trackingNumber = text(NUMBER + id);
    const carrier = text(CARRIER + id) || text("carrier");
    return { ...(trackingNumber !== "" && { trackingNumber }), ...(carrier !== "" && { carrier }) };
  };
}

/** Enter moves the focus to the next number, and from the last number to the button. */
function goOn(event: KeyboardEvent<HTMLInputElement>): void {
  if (event.key !== "Enter") return;
  const { currentTarget: input } = event;
  const all = [...(input.form?.querySelectorAll<HTMLElement>(`[name^="${NUMBER}"], [type="submit"]`) ?? [])];
  all[all.indexOf(input) + 1]?.focus();
}

function FromFile({ onRead }: { readonly onRead: (text: string) => ReturnType<typeof readTracking> }) {
  const [result, setResult] = useState<ReturnType<typeof readTracking>>();
  const read = async ({ currentTarget: input }: ChangeEvent<HTMLInputElement>) => {
    const [file] = input.files ?? [];
    if (file === undefined) return;
    const text = await file.arrayBuffer().then(textOfFile, () => "");
    // The same file can be chosen again.
    input.value = "";
    setResult(onRead(text));
  };
  return (
    <TextField
      label="Numbers from a CSV file"
      hint={
        result && "parcels" in result
          ? textOf(result)
          : "Order number, tracking number and, if you like, carrier."
      }
      error={result && "fault" in result ? result.fault : undefined}
      type="file"
      accept=".csv,.tsv,.txt"
      onChange={read}
    />
  );
}

function textOf({ parcels, others }: Extract<ReturnType<typeof readTracking>, { others: unknown }>): string {
  const carriers = [...new Set([...parcels.values()].flatMap(({ carrier }) => carrier ?? []))];
  const by = carriers.length === 0 ? "" : ` (${carriers.join(", ")})`;
  const read = `${counted(parcels.size, "number")} filled in${by}.`;
  return others.length === 0 ? read : `${read} Not among these orders: ${others.join(", ")}.`;
}
