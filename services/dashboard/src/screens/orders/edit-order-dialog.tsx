// Edits an order: its notes always, its addresses while it is placed, and its parcel once it is shipped.

import type { DataOf } from "@tradepost/client/operations";
import { useState } from "react";
import { textsOf } from "../../format/address.ts";
import { ChangeDialog } from "../../ui/change-dialogs.tsx";
import { Field, TextField } from "../../ui/field.tsx";
import { AddressFields, addressTextsIn } from "./address-fields.tsx";
import { changesOf, differences, EDIT_FIELDS, type Edited, partsOf } from "./edit.ts";

interface EditOrderDialogProps {
  readonly order: DataOf<"getOrder">;
  readonly etag: string | undefined;
  readonly onClose: () => void;
}

export function EditOrderDialog({ order, etag, onClose }: EditOrderDialogProps) {
  const [seen] = useState({ order, etag });
  return (
    <ChangeDialog
      title={`Edit order ${seen.order.orderNumber}`}
      isWide
      action="Save"
      operation="updateOrder"
      input={(form) => {
        const body = changesOf(seen.order, editedIn(form, seen.order));
        return body && { path: { id: order.id }, body, ifMatch: seen.etag };
      }}
      fields={EDIT_FIELDS}
      conflict={{
        isRead: order.version !== seen.order.version,
        etag,
        differences: ({ body = {} }) => differences(body, order),
      }}
      stale={["getOrder", "listOrders", "getOrderTimeline"]}
      done={({ orderNumber }) => `Order ${orderNumber} is changed.`}
      onClose={onClose}
    >
      {(errors) => <EditFields order={seen.order} parts={partsOf(seen.order)} errors={errors} />}
    </ChangeDialog>
  );
}

type Order = DataOf<"getOrder">;

interface EditFieldsProps {
  readonly order: Order;
  readonly parts: ReturnType<typeof partsOf>;
  readonly errors: Readonly<Partial<Record<string, string>>>;
}

const NOTE_CHARACTERS_MAX = 5_000;
const TEXT_CHARACTERS_MAX = 255;
const PARCEL = [
  { name: "carrier", label: "Carrier" },
  { name: "trackingNumber", label: "Tracking number" },
] as const;
const NOTES = [
  { name: "internalNote", label: "Internal note" },
  { name: "customerNote", label: "Customer’s note" },
] as const;
const ADDRESSES = [
  { name: "shippingAddress", legend: "Ship to" },
  { name: "billingAddress", legend: "Bill to" },
] as const;

function EditFields({ order, parts, errors }: EditFieldsProps) {
  return (
    <>
      {parts.parcel && (
        <div className="fields">
          {PARCEL.map(({ name, label }) => (
            <TextField
              key={name}
              label={label}
              error={errors[name]}
              name={name}
              defaultValue={order[name]}
              maxLength={TEXT_CHARACTERS_MAX}
            />
          ))}
        </div>
      )}
      {NOTES.map(({ name, label }) => (
        <Field key={name} label={label} error={errors[name]}>
          {(control) => (
            <textarea
              {...control}
              className="input"
              name={name}
              defaultValue={order[name]}
              maxLength={NOTE_CHARACTERS_MAX}
              dir="auto"
            />
          )}
        </Field>
      ))}
      {parts.addresses &&
        ADDRESSES.map(({ name, legend }) => (
          <AddressFields
            key={name}
            name={name}
            legend={legend}
            initial={textsOf(order[name])}
            errors={errors}
          />
        ))}
    </>
  );
}

function editedIn(form: FormData, order: Order): Edited {
  const { addresses, parcel } = partsOf(order);
  // Browsers send line breaks as CRLF.
  const text = (name: string) => String(form.get(name) ?? "").replaceAll("\r\n", "\n");
  return {
    texts: {
      customerNote: text("customerNote"),
      internalNote: text("internalNote"),
      ...(parcel && { carrier: text("carrier"), trackingNumber: text("trackingNumber") }),
    },
    addresses: addresses
      ? {
          shippingAddress: addressTextsIn(form, "shippingAddress"),
          billingAddress: addressTextsIn(form, "billingAddress"),
        }
      : {},
  };
}
