// Edits an order: its notes always, its addresses while it is placed, and its parcel once it is fulfilled.
import type { DataOf } from "@tradepost/client/operations";
import { useRef, useState } from "react";
import { fieldErrors } from "../../api/field-errors.ts";
import { useChange } from "../../data/use-change.ts";
import { textsOf } from "../../format/address.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog, DialogActions } from "../../ui/dialog.tsx";
import { ErrorNote } from "../../ui/error-note.tsx";
import { Field, TextField } from "../../ui/field.tsx";
import { Form } from "../../ui/form.tsx";
import { say } from "../../ui/toasts.tsx";
import { VersionConflict } from "../../ui/version-conflict.tsx";
import { AddressFields, addressTextsIn } from "./address-fields.tsx";
import { changesOf, differences, EDIT_FIELDS, type Edited, type OrderChange, partsOf } from "./edit.ts";

interface EditOrderDialogProps {
  /** The current order, which is read again while the dialog is open. */
  readonly order: DataOf<"getOrder">;
  readonly etag: string | undefined;
  readonly onClose: () => void;
}

export function EditOrderDialog({ order, etag, onClose }: EditOrderDialogProps) {
  const [seen] = useState({ order, etag });
  const sent = useRef<OrderChange>({});
  const change = useChange("updateOrder", {
    stale: ["getOrder", "listOrders", "getOrderTimeline"],
    onDone: ({ orderNumber }) => {
      say(`Order ${orderNumber} is changed.`);
      onClose();
    },
  });
  const save = (body: OrderChange, version: string | undefined) => {
    sent.current = body;
    change.mutate({ path: { id: order.id }, body, ifMatch: version });
  };
  const submit = (form: FormData) => {
    const body = changesOf(seen.order, editedIn(form, seen.order));
    if (body === null) onClose();
    else save(body, seen.etag);
  };
  const isConflict = change.error?.status === 412 && order.version !== seen.order.version;
  const errors = fieldErrors(change.error?.details ?? [], EDIT_FIELDS);
  return (
    <Dialog title={`Edit order ${seen.order.orderNumber}`} onClose={onClose} isWide>
      <Form failure={change.error} onSubmit={submit}>
        {isConflict && (
          <VersionConflict
            differences={differences(sent.current, order)}
            onSaveYours={() => save(sent.current, etag)}
            onTakeTheirs={onClose}
          />
        )}
        <div className="form" hidden={isConflict}>
          <EditFields order={seen.order} parts={partsOf(seen.order)} errors={errors.byField} />
        </div>
        {change.error && !isConflict && <ErrorNote failure={change.error} details={errors.rest} />}
        {!isConflict && (
          <DialogActions>
            <Button onClick={onClose}>Cancel</Button>
            <Button type="submit" look="primary" isBusy={change.isPending}>
              Save
            </Button>
          </DialogActions>
        )}
      </Form>
    </Dialog>
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
