// The fields of the edit form.
import type { DataOf } from "@tradepost/client/operations";
import { textsOf } from "../../format/address.ts";
import { Field } from "../../ui/field.tsx";
import { AddressFields, addressTextsIn } from "./address-fields.tsx";
import { type Edited, partsOf } from "./edit.ts";

type Order = DataOf<"getOrder">;

interface EditFieldsProps {
  readonly order: Order;
  readonly parts: ReturnType<typeof partsOf>;
  readonly errors: Readonly<Partial<Record<string, string>>>;
}

const NOTE_CHARACTERS_MAX = 5_000;
const TEXT_CHARACTERS_MAX = 255;

export function EditFields({ order, parts, errors }: EditFieldsProps) {
  return (
    <>
      {parts.parcel && (
        <div className="fields">
          <Text name="carrier" label="Carrier" order={order} errors={errors} />
          <Text name="trackingNumber" label="Tracking number" order={order} errors={errors} />
        </div>
      )}
      <Note name="internalNote" label="Internal note" order={order} errors={errors} />
      <Note name="customerNote" label="Customer’s note" order={order} errors={errors} />
      {parts.addresses && (
        <>
          <AddressFields
            name="shippingAddress"
            legend="Ship to"
            initial={textsOf(order.shippingAddress)}
            errors={errors}
          />
          <AddressFields
            name="billingAddress"
            legend="Bill to"
            initial={textsOf(order.billingAddress)}
            errors={errors}
          />
        </>
      )}
    </>
  );
}

/** Reads the values of `EditFields` from the form. */
export function editedIn(form: FormData, order: Order): Edited {
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

interface TextProps<Name extends keyof Order> {
  readonly name: Name;
  readonly label: string;
  readonly order: Order;
  readonly errors: EditFieldsProps["errors"];
}

function Text({ name, label, order, errors }: TextProps<"carrier" | "trackingNumber">) {
  return (
    <Field label={label} error={errors[name]}>
      {(control) => (
        <input
          {...control}
          className="input"
          name={name}
          defaultValue={order[name]}
          maxLength={TEXT_CHARACTERS_MAX}
          autoComplete="off"
        />
      )}
    </Field>
  );
}

function Note({ name, label, order, errors }: TextProps<"customerNote" | "internalNote">) {
  return (
    <Field label={label} error={errors[name]}>
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
  );
}
