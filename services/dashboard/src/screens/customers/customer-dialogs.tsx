// The forms of a new customer and of a changed one. Existing orders keep what they have.
import { Link } from "@tanstack/react-router";
import type { BodyOf, DataOf, ErrorDetail } from "@tradepost/client/operations";
import { useRef, useState } from "react";
import type { Failure } from "../../api/failure.ts";
import { fieldErrors } from "../../api/field-errors.ts";
import { useChange } from "../../data/use-change.ts";
import { Button } from "../../ui/button.tsx";
import { ChangeDialog } from "../../ui/change-dialogs.tsx";
import { Dialog, DialogActions } from "../../ui/dialog.tsx";
import { ErrorNote } from "../../ui/error-note.tsx";
import { TextField } from "../../ui/field.tsx";
import { Form } from "../../ui/form.tsx";
import { Note } from "../../ui/note.tsx";
import { say } from "../../ui/toasts.tsx";
import { VersionConflict } from "../../ui/version-conflict.tsx";
import { changesOf, differences } from "./edit.ts";

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
      fields={CUSTOMER_FIELDS}
      stale={["listCustomers"]}
      onDone={onCreated}
      explain={(failure, details) => <CustomerFailure failure={failure} details={details} />}
      onClose={onClose}
    >
      {(errors) => <CustomerFields initial={initial} errors={errors} />}
    </ChangeDialog>
  );
}

interface EditCustomerDialogProps {
  /** The current customer, which is read again while the dialog is open. */
  readonly customer: DataOf<"getCustomer">;
  readonly etag: string | undefined;
  readonly onClose: () => void;
}

export function EditCustomerDialog({ customer, etag, onClose }: EditCustomerDialogProps) {
  const [seen] = useState({ customer, etag });
  const sent = useRef<BodyOf<"updateCustomer">>({});
  const change = useChange("updateCustomer", {
    stale: ["getCustomer", "listCustomers"],
    onDone: ({ name }) => {
      say(`“${name}” is changed.`);
      onClose();
    },
  });
  const save = (body: BodyOf<"updateCustomer">, version: string | undefined) => {
    sent.current = body;
    change.mutate({ path: { id: customer.id }, body, ifMatch: version });
  };
  const submit = (form: FormData) => {
    const body = changesOf(seen.customer, customerTextsIn(form));
    if (body === null) onClose();
    else save(body, seen.etag);
  };
  const isConflict = change.error?.status === 412 && customer.version !== seen.customer.version;
  const errors = fieldErrors(change.error?.details ?? [], CUSTOMER_FIELDS);
  return (
    <Dialog title={`Edit “${seen.customer.name}”`} onClose={onClose}>
      <Form failure={change.error} onSubmit={submit}>
        {isConflict ? (
          <VersionConflict
            differences={differences(sent.current, customer)}
            onSaveYours={() => save(sent.current, etag)}
            onTakeTheirs={onClose}
          />
        ) : (
          change.error && <CustomerFailure failure={change.error} details={errors.rest} />
        )}
        <div className="form" hidden={isConflict}>
          <CustomerFields initial={seen.customer} errors={errors.byField} />
        </div>
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

type Customer = DataOf<"getCustomer">;

const CUSTOMER_FIELDS = ["name", "email", "phone", "externalId"] as const;
type CustomerTexts = Readonly<Record<(typeof CUSTOMER_FIELDS)[number], string>>;

interface CustomerFieldsProps {
  readonly initial: Partial<Pick<Customer, "name" | "email" | "phone" | "externalId">>;
  readonly errors: Readonly<Partial<Record<(typeof CUSTOMER_FIELDS)[number], string>>>;
}

const CHARACTERS_MAX = { name: 500, email: 320, phone: 50, externalId: 255 } as const;
const LABELS = { name: "Name", email: "E-mail", phone: "Phone", externalId: "External id" } as const;
const TYPES = { name: "text", email: "email", phone: "tel", externalId: "text" } as const;
const HINTS = { externalId: "The id that another system gave the customer. No other customer may have it." };

function CustomerFields({ initial, errors }: CustomerFieldsProps) {
  return CUSTOMER_FIELDS.map((name) => (
    <TextField
      key={name}
      label={LABELS[name]}
      hint={name === "externalId" ? HINTS.externalId : undefined}
      error={errors[name]}
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

interface CustomerFailureProps {
  readonly failure: Failure;
  readonly details: readonly ErrorDetail[];
}

function CustomerFailure({ failure, details }: CustomerFailureProps) {
  const { customerId } = failure.error;
  if (failure.status !== 409 || typeof customerId !== "string")
    return <ErrorNote failure={failure} details={details} />;
  return (
    <Note tone="danger" title="Another customer has this external id" isAlert>
      <p>Correct it, or go on with that customer.</p>
      <Link to="/customers/$customerId" params={{ customerId }}>
        Open that customer
      </Link>
    </Note>
  );
}
