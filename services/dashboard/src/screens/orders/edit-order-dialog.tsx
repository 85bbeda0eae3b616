// Edits an order: its notes always, its addresses while it is placed, and its parcel once it is fulfilled.
import type { DataOf } from "@tradepost/client/operations";
import { useRef, useState } from "react";
import { fieldErrors } from "../../api/field-errors.ts";
import { useChange } from "../../data/use-change.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog, DialogActions } from "../../ui/dialog.tsx";
import { ErrorNote } from "../../ui/error-note.tsx";
import { Form } from "../../ui/form.tsx";
import { say } from "../../ui/toasts.tsx";
import { VersionConflict } from "../../ui/version-conflict.tsx";
import { changesOf, differences, EDIT_FIELDS, type OrderChange, partsOf } from "./edit.ts";
import { EditFields, editedIn } from "./edit-fields.tsx";

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
    change.mutate({ path: { id: order.id }, body, ...(version !== undefined && { ifMatch: version }) });
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
