// A dialog with a form, whose last button sends it.
import type { ErrorDetail } from "@tradepost/client/operations";
import type { ReactNode } from "react";
import type { Failure } from "../api/failure.ts";
import { Button } from "./button.tsx";
import { Dialog, DialogActions } from "./dialog.tsx";
import { ErrorNote } from "./error-note.tsx";
import { Form } from "./form.tsx";

interface FormDialogProps {
  readonly title: string;
  readonly isWide?: boolean;
  readonly children: ReactNode;
  /** The verb and its object: `Add redirect`. */
  readonly action: string;
  readonly look?: "primary" | "danger";
  readonly otherwise?: string;
  /** The result of `useChange`, or its like. */
  readonly change: { readonly error: Failure | null; readonly isPending: boolean };
  /** The details of the failure that no field shows. */
  readonly details?: readonly ErrorDetail[];
  /** The failure above the fields; an `ErrorNote` by default. Null shows none. */
  readonly note?: ReactNode;
  /** Returns false if nothing is sent. */
  readonly onSubmit: (form: FormData) => unknown;
  readonly onClose: () => void;
}

export function FormDialog(props: FormDialogProps) {
  const { title, isWide = false, children, action, look = "primary", otherwise = "Cancel" } = props;
  const { change, details = [], onSubmit, onClose } = props;
  const { note = change.error && <ErrorNote failure={change.error} details={details} /> } = props;
  return (
    <Dialog title={title} onClose={onClose} isWide={isWide}>
      <Form failure={change.error} onSubmit={onSubmit}>
        {note}
        {children}
        <DialogActions>
          <Button onClick={onClose}>{otherwise}</Button>
          <Button type="submit" look={look} isBusy={change.isPending}>
            {action}
          </Button>
        </DialogActions>
      </Form>
    </Dialog>
  );
}
