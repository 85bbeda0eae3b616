// Changes a customer. Existing orders are not changed.
import type { BodyOf, DataOf } from "@tradepost/client/operations";
import { useRef, useState } from "react";
import { fieldErrors } from "../../api/field-errors.ts";
import { useChange } from "../../data/use-change.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog, DialogActions } from "../../ui/dialog.tsx";
import { Form } from "../../ui/form.tsx";
import { say } from "../../ui/toasts.tsx";
import { VersionConflict } from "../../ui/version-conflict.tsx";
import { CustomerFailure } from "./customer-failure.tsx";
import { CUSTOMER_FIELDS, CustomerFields, customerTextsIn } from "./customer-fields.tsx";
import { changesOf, differences } from "./edit.ts";

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
    change.mutate({ path: { id: customer.id }, body, ...(version !== undefined && { ifMatch: version }) });
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
