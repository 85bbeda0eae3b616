// The fields of an address in a form. Their names begin with the name of the address: `shippingAddress.city`.
import type { ItemOf } from "@tradepost/client/operations";
import { useEffect, useRef, useState } from "react";
import { useList } from "../../data/operations.ts";
import { ADDRESS_FIELDS, type AddressTexts, addressesOf, textOf, textsOf } from "../../format/address.ts";
import { CountryField, SelectField, TextField } from "../../ui/field.tsx";
import type { AddressName } from "./edit.ts";

interface AddressFieldsProps {
  readonly name: AddressName;
  readonly legend: string;
  readonly initial: AddressTexts;
}

const CHARACTERS_MAX = 500;

export function AddressFields({ name, legend, initial }: AddressFieldsProps) {
  return (
    <fieldset className="field">
      <legend>{legend}</legend>
      <div className="fields">
        {ADDRESS_FIELDS.map(({ name: field, label }) => {
          const shared = {
            label,
            name: `${name}.${field}`,
            defaultValue: initial[field],
          };
          return field === "country" ? (
            <CountryField key={field} {...shared} />
          ) : (
            <TextField key={field} {...shared} maxLength={CHARACTERS_MAX} />
          );
        })}
      </div>
    </fieldset>
  );
}

export function addressTextsIn(form: FormData, name: AddressName): AddressTexts {
  return Object.fromEntries(
    ADDRESS_FIELDS.map((field) => [field.name, String(form.get(`${name}.${field.name}`) ?? "")]),
  ) as AddressTexts;
}

const SAME = "sameAddress";
const NO_ORDERS: readonly ItemOf<"listOrders">[] = [];

/** The addresses of a new order: typed, or else from the customer's last order. Addresses of earlier orders are offered. */
export function DraftAddresses({ customerId }: { readonly customerId: string | undefined }) {
  const [isSame, setSame] = useState(true);
  const fields = useRef<HTMLDivElement>(null);
  const list = useList("listOrders", { customerId }, { isAllowed: customerId !== undefined });
  const orders = customerId === undefined ? NO_ORDERS : (list.items ?? NO_ORDERS);
  const [last, setLast] = useState<ItemOf<"listOrders">>();
  const latest = orders.find(({ shippingAddress }) => shippingAddress !== undefined);
  useEffect(() => {
    const inputs = [...(fields.current?.querySelectorAll<HTMLInputElement>("input, select") ?? [])];
    if (last !== undefined || latest === undefined) return;
    if (inputs.some(({ name, value }) => name !== SAME && value !== "")) return;
    const { shippingAddress: shipping, billingAddress: billing = shipping } = latest;
    setLast(latest);
    setSame(shipping !== undefined && billing !== undefined && textOf(shipping) === textOf(billing));
  }, [last, latest]);
  const known = addressesOf(orders);
  return (
    <div ref={fields} key={last?.id} className="form">
      <Address name="shippingAddress" legend="Ship to" first={last?.shippingAddress} known={known} />
      <label className="check">
        <input
          type="checkbox"
          name={SAME}
          checked={isSame}
          onChange={({ currentTarget }) => setSame(currentTarget.checked)}
        />
        Bill to the same address
      </label>
      {!isSame && (
        <Address name="billingAddress" legend="Bill to" first={last?.billingAddress} known={known} />
      )}
    </div>
  );
}

export function addressesIn(form: FormData): {
  readonly shipping: AddressTexts;
  readonly billing: AddressTexts;
} {
  const shipping = addressTextsIn(form, "shippingAddress");
  return { shipping, billing: form.has(SAME) ? shipping : addressTextsIn(form, "billingAddress") };
}

interface AddressProps {
  readonly name: AddressName;
  readonly legend: string;
  readonly first: ItemOf<"listOrders">["shippingAddress"];
  readonly known: ReturnType<typeof addressesOf>;
}

function Address({ name, legend, first, known }: AddressProps) {
  // The fields keep their texts themselves, so choosing an address creates new fields.
  const [chosen, setChosen] = useState({ texts: textsOf(first), times: 0 });
  const choose = (index: string) => {
    const texts = textsOf(known[Number(index)]);
    setChosen(({ times }) => ({ texts, times: times + 1 }));
  };
  return (
    <div className="form">
      {known.length > 0 && (
        <SelectField
          label={`${legend} an address of earlier orders`}
          options={[
            { value: "", text: "Choose an address…" },
            ...known.map((address, index) => ({ value: index, text: textOf(address) })),
          ]}
          value=""
          onChange={({ currentTarget }) => choose(currentTarget.value)}
        />
      )}
      <AddressFields key={chosen.times} name={name} legend={legend} initial={chosen.texts} />
    </div>
  );
}
