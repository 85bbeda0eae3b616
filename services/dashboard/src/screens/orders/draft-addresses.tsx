// The addresses of a new order. The addresses of the customer's earlier orders are offered.
import type { ItemOf } from "@tradepost/client/operations";
import { useState } from "react";
import { useList } from "../../data/use-list.ts";
import { type AddressTexts, addressesOf, NO_ADDRESS, textOf, textsOf } from "../../format/address.ts";
import { Field } from "../../ui/field.tsx";
import { AddressFields, type AddressName, addressTextsIn } from "./address-fields.tsx";

interface DraftAddressesProps {
  readonly customerId: string | undefined;
  readonly errors: Readonly<Partial<Record<string, string>>>;
}

const SAME = "sameAddress";
const NO_ORDERS: readonly ItemOf<"listOrders">[] = [];

export function DraftAddresses({ customerId, errors }: DraftAddressesProps) {
  const [isSame, setSame] = useState(true);
  const orders = useList("listOrders", { customerId }, { isAllowed: customerId !== undefined });
  const shared = { known: addressesOf(customerId === undefined ? NO_ORDERS : (orders.items ?? [])), errors };
  return (
    <>
      <Address name="shippingAddress" legend="Ship to" {...shared} />
      <label className="check">
        <input
          type="checkbox"
          name={SAME}
          checked={isSame}
          onChange={({ currentTarget }) => setSame(currentTarget.checked)}
        />
        Bill to the same address
      </label>
      {!isSame && <Address name="billingAddress" legend="Bill to" {...shared} />}
    </>
  );
}

/** Reads the addresses from the form. */
export function addressesIn(form: FormData): {
  readonly shipping: AddressTexts;
  readonly billing: AddressTexts;
} {
  const shipping = addressTextsIn(form, "shippingAddress");
  return { shipping, billing: form.has(SAME) ? shipping : addressTextsIn(form, "billingAddress") };
}

interface AddressProps extends Pick<DraftAddressesProps, "errors"> {
  readonly name: AddressName;
  readonly legend: string;
  readonly known: ReturnType<typeof addressesOf>;
}

function Address({ name, legend, known, errors }: AddressProps) {
  // The fields keep their texts themselves, so choosing an address creates new fields.
  const [chosen, setChosen] = useState({ texts: NO_ADDRESS, times: 0 });
  const choose = (index: string) => {
    const texts = textsOf(known[Number(index)]);
    setChosen(({ times }) => ({ texts, times: times + 1 }));
  };
  return (
    <div className="form">
      {known.length > 0 && (
        <Field label={`${legend} an address of earlier orders`}>
          {(control) => (
            <select
              {...control}
              className="input"
              value=""
              onChange={({ currentTarget }) => choose(currentTarget.value)}
            >
              <option value="">Choose an address…</option>
              {known.map((address, index) => (
                <option key={textOf(address)} value={index}>
                  {textOf(address)}
                </option>
              ))}
            </select>
          )}
        </Field>
      )}
      <AddressFields key={chosen.times} name={name} legend={legend} initial={chosen.texts} errors={errors} />
    </div>
  );
}
