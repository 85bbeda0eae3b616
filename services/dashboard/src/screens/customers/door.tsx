// The forms of a new customer and of a changed one. Existing orders keep what they have.
import type { DataOf, ErrorDetail } from "@tradepost/client/operations";
import { useState } from "react";
import type { Failure } from "../../api/failure.ts";
import { editedTexts, textDifferences } from "../../format/edited.ts";
import { TextLink } from "../../ui/button.tsx";
import { ChangeDialog } from "../../ui/change-dialogs.tsx";
import { TextField } from "../../ui/field.tsx";
import { errorNote } from "../../ui/form.tsx";
import { Note } from "../../ui/note.tsx";

interface CreateCustomerDialogProps {
  readonly initial?: { readonly name?: string; readonly email?: string };
  readonly onClose: () => void;
  readonly onCreated: (customer: DataOf<"createCustomer">) => void;
}

export function CreateCustomerDialog({ initial = {}, onClose, onCreated }: CreateCustomerDialogProps) {
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
      <CustomerFields initial={initial} />
    </ChangeDialog>
  );
}

interface EditCustomerDialogProps {
  readonly customer: DataOf<"getCustomer">;
  readonly etag: string | undefined;
}

export function EditCustomerDialog({ customer, etag }: EditCustomerDialogProps) {
  const [seen] = useState({ customer, etag });
  return (
    <ChangeDialog
      title={`Edit “${seen.customer.name}”`}
      action="Save"
      operation="updateCustomer"
      input={(form) => {
        const body = editedTexts(seen.customer, customerTextsIn(form));
        if (Object.keys(body).length === 0) return null;
        return { path: { id: customer.id }, body, ifMatch: seen.etag };
      }}
      conflict={{
        isRead: customer.version !== seen.customer.version,
        etag,
        differences: ({ body = {} }) => textDifferences(LABELS, body, customer),
      }}
      stale={["getCustomer", "listCustomers"]}
      done={({ name }) => `“${name}” is changed.`}
      explain={explain}
    >
      <CustomerFields initial={seen.customer} />
    </ChangeDialog>
  );
}

type Customer = DataOf<"getCustomer">;

const CUSTOMER_FIELDS = ["name", "email", "phone", "externalId"] as const;
type CustomerTexts = Readonly<Record<(typeof CUSTOMER_FIELDS)[number], string>>;

interface CustomerFieldsProps {
  readonly initial: Partial<Pick<Customer, "name" | "email" | "phone" | "externalId">>;
}

const CHARACTERS_MAX = { name: 500, email: 320, phone: 50, externalId: 255 } as const;
const LABELS = { name: "Name", email: "E-mail", phone: "Phone", externalId: "External id" } as const;
const TYPES = { name: "text", email: "email", phone: "tel", externalId: "text" } as const;
const HINTS = { externalId: "The id that another system gave the customer. No other customer may have it." };

function CustomerFields({ initial }: CustomerFieldsProps) {
  return CUSTOMER_FIELDS.map((name) => (
    <TextField
      key={name}
      label={LABELS[name]}
      hint={name === "externalId" ? HINTS.externalId : undefined}
      name={name}
      type={TYPES[name]}
      required={name === "name"}
      maxLength={CHARACTERS_MAX[name]}
      defaultValue={initial[name]}
    />
  ));
}

function customerTextsIn(form: FormData): CustomerTexts {
  return Object.fromEntries(
    CUSTOMER_FIELDS.map((name) => [name, String(form.get(name) ?? "").trim()]),
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
