// Edits an order: its notes always, and its addresses while it is placed.

import type { DataOf } from "@tradepost/client/operations";
import { useState } from "react";
import { textsOf } from "../../format/address.ts";
import { ChangeDialog } from "../../ui/change-dialogs.tsx";
import { AreaField } from "../../ui/field.tsx";
import { AddressFields, addressTextsIn } from "./address-fields.tsx";
import { changesOf, differences, type Edited } from "./edit.ts";

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
      conflict={{
        isRead: order.version !== seen.order.version,
        etag,
        differences: ({ body = {} }) => differences(body, order),
      }}
      stale={["getOrder", "listOrders", "getOrderTimeline"]}
      done={({ orderNumber }) => `Order ${orderNumber} is changed.`}
      onClose={onClose}
    >
      <EditFields order={seen.order} />
    </ChangeDialog>
  );
}

type Order = DataOf<"getOrder">;

const NOTE_CHARACTERS_MAX = 5_000;
const NOTES = [
  { name: "internalNote", label: "Internal note" },
  { name: "customerNote", label: "Customer’s note" },
] as const;
const ADDRESSES = [
  { name: "shippingAddress", legend: "Ship to" },
  { name: "billingAddress", legend: "Bill to" },
] as const;

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

function editedIn(form: FormData, order: Order): Edited {
  // Browsers send line breaks as CRLF.
  const text = (name: string) => String(form.get(name) ?? "").replaceAll("\r\n", "\n");
  return {
    texts: {
      customerNote: text("customerNote"),
      internalNote: text("internalNote"),
    },
    addresses:
      order.status === "placed"
        ? {
            shippingAddress: addressTextsIn(form, "shippingAddress"),
            billingAddress: addressTextsIn(form, "billingAddress"),
          }
        : {},
  };
}
