// The fields of a new or changed customer.
import type { DataOf } from "@tradepost/client/operations";
import { Field } from "../../ui/field.tsx";

type Customer = DataOf<"getCustomer">;

export const CUSTOMER_FIELDS = ["name", "email", "phone", "externalId"] as const;
export type CustomerTexts = Readonly<Record<(typeof CUSTOMER_FIELDS)[number], string>>;

interface CustomerFieldsProps {
  readonly initial: Partial<Pick<Customer, "name" | "email" | "phone" | "externalId">>;
  readonly errors: Readonly<Partial<Record<(typeof CUSTOMER_FIELDS)[number], string>>>;
}

const CHARACTERS_MAX = { name: 500, email: 320, phone: 50, externalId: 255 } as const;
const LABELS = { name: "Name", email: "E-mail", phone: "Phone", externalId: "External id" } as const;
const TYPES = { name: "text", email: "email", phone: "tel", externalId: "text" } as const;
const HINTS = { externalId: "The id that another system gave the customer. No other customer may have it." };

export function CustomerFields({ initial, errors }: CustomerFieldsProps) {
  return CUSTOMER_FIELDS.map((name) => (
    <Field
      key={name}
      label={LABELS[name]}
      hint={name === "externalId" ? HINTS.externalId : undefined}
      error={errors[name]}
    >
      {(control) => (
        <input
          {...control}
          className="input"
          name={name}
          type={TYPES[name]}
          required={name === "name"}
          maxLength={CHARACTERS_MAX[name]}
          defaultValue={initial[name]}
          autoComplete="off"
        />
      )}
    </Field>
  ));
}

export function customerTextsIn(form: FormData): CustomerTexts {
  return Object.fromEntries(
    CUSTOMER_FIELDS.map((name) => [name, String(form.get(name) ?? "").trim()]),
  ) as CustomerTexts;
}
