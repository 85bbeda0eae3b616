// The forms of a new and of a changed customer. A change does not affect existing orders.
import type { DataOf, ErrorDetail } from "@tradepost/client/operations";
import { useState } from "react";
import type { Failure } from "../../api/failure.ts";
import { differencesOf, editedTexts } from "../../format/edited.ts";
import { TextLink } from "../../ui/button.tsx";
import { ChangeDialog } from "../../ui/change-dialogs.tsx";
import { TextField } from "../../ui/field.tsx";
import { errorNote } from "../../ui/form.tsx";
import { Note } from "../../ui/note.tsx";

interface CreateCustomerDialogProps {
  /** A name or an e-mail address that was searched in vain. */
  readonly searched?: string | undefined;
  readonly onClose: () => void;
  readonly onCreated: (customer: DataOf<"createCustomer">) => void;
}

export function CreateCustomerDialog({ searched = "", onClose, onCreated }: CreateCustomerDialogProps) {
  return (
    <ChangeDialog
      title="New customer"
      action="Create customer"
      operation="createCustomer"
      input={(form) => {
        const { name, ...others } = customerTextsIn(form);
        const given = Object.entries(others).filter(([, text]) => text !== "");
        return { body: { name, ...Object.fromEntries(given) } };
      }}
      stale={["listCustomers"]}
      onDone={onCreated}
      explain={explain}
      onClose={onClose}
    >
      <CustomerFields initial={searched.includes("@") ? { email: searched } : { name: searched }} />
    </ChangeDialog>
  );
}

interface EditCustomerDialogProps {
  readonly customer: DataOf<"getCustomer">;
  readonly etag: string | undefined;
}

export function EditCustomerDialog({ customer, etag }: EditCustomerDialogProps) {
  const [seen] = useState(customer);
  return (
    <ChangeDialog
      title={`Edit “${seen.name}”`}
      action="Save"
      operation="updateCustomer"
      input={(form) => {
        const body = editedTexts(seen, customerTextsIn(form));
        if (Object.keys(body).length === 0) return null;
        return { path: { id: customer.id }, body };
      }}
      etag={etag}
      differences={({ body = {} }) => differencesOf(FIELDS, body, customer)}
      stale={["getCustomer", "listCustomers"]}
      done={({ name }) => `“${name}” is changed.`}
      explain={explain}
    >
      <CustomerFields initial={seen} />
    </ChangeDialog>
  );
}

const FIELDS = [
  { name: "name", label: "Name", maxLength: 500, required: true },
  { name: "email", label: "E-mail", maxLength: 320, type: "email" },
  { name: "phone", label: "Phone", maxLength: 50, type: "tel" },
  {
    name: "externalId",
    label: "External id",
    maxLength: 255,
    hint: "The id that another system gave the customer. No other customer may have it.",
  },
] as const;

type CustomerTexts = Readonly<Record<(typeof FIELDS)[number]["name"], string>>;

function CustomerFields({ initial }: { readonly initial: Partial<CustomerTexts> }) {
  return FIELDS.map((field) => <TextField key={field.name} {...field} defaultValue={initial[field.name]} />);
}

function customerTextsIn(form: FormData): CustomerTexts {
  return Object.fromEntries(
    FIELDS.map(({ name }) => [name, String(form.get(name) ?? "").trim()]),
  ) as CustomerTexts;
}

function explain(failure: Failure, details: readonly ErrorDetail[]) {
  const { customerId } = failure.error;
  if (failure.status !== 409 || typeof customerId !== "string") return errorNote(failure, details);
  return (
    <Note tone="danger" title="Another customer has this external id" isAlert>
      <p>Correct it, or go on with that customer.</p>
      <TextLink to="/customers/$customerId" params={{ customerId }} text="Open that customer" />
    </Note>
  );
}
