// The form for a new customer.
import type { DataOf } from "@tradepost/client/operations";
import { fieldErrors } from "../../api/field-errors.ts";
import { useChange } from "../../data/use-change.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog, DialogActions } from "../../ui/dialog.tsx";
import { Form } from "../../ui/form.tsx";
import { CustomerFailure } from "./customer-failure.tsx";
import { CUSTOMER_FIELDS, CustomerFields, customerTextsIn } from "./customer-fields.tsx";

interface CreateCustomerDialogProps {
  /** What is known already. */
  readonly initial?: { readonly name?: string; readonly email?: string };
  readonly onClose: () => void;
  readonly onCreated: (customer: DataOf<"createCustomer">) => void;
}

export function CreateCustomerDialog({ initial = {}, onClose, onCreated }: CreateCustomerDialogProps) {
  const create = useChange("createCustomer", { stale: ["listCustomers"], onDone: onCreated });
  const submit = (form: FormData) => {
    const { name, ...others } = customerTextsIn(form);
    const given = Object.entries(others).filter(([, text]) => text !== "");
    create.mutate({ body: { name, ...Object.fromEntries(given) } });
  };
  const errors = fieldErrors(create.error?.details ?? [], CUSTOMER_FIELDS);
  return (
    <Dialog title="New customer" onClose={onClose}>
      <Form failure={create.error} onSubmit={submit}>
        {create.error && <CustomerFailure failure={create.error} details={errors.rest} />}
        <CustomerFields initial={initial} errors={errors.byField} />
        <DialogActions>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" look="primary" isBusy={create.isPending}>
            Create customer
          </Button>
        </DialogActions>
      </Form>
    </Dialog>
  );
}
