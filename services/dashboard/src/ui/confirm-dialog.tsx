// Asks before an action that people may regret, and carries it out.
import type { ReactNode } from "react";
import type { Failure } from "../api/failure.ts";
import { Button } from "./button.tsx";
import { Dialog, DialogActions } from "./dialog.tsx";
import { ErrorNote } from "./error-note.tsx";

interface Change {
  readonly error: Failure | null;
  readonly isPending: boolean;
}

interface ConfirmDialogProps {
  /** A question: `Cancel order 1001?` */
  readonly title: string;
  /** The consequences, and whether they can be undone. */
  readonly children: ReactNode;
  /** The verb and its object: `Cancel order`. */
  readonly action: string;
  readonly look?: "primary" | "danger";
  /** The other button. `Cancel` by default, which would be unclear next to another cancellation. */
  readonly otherwise?: string;
  /** The result of `useChange`. */
  readonly change: Change;
  readonly onConfirm: () => void;
  readonly onClose: () => void;
}

export function ConfirmDialog(props: ConfirmDialogProps) {
  const { title, children, action, look = "danger", otherwise = "Cancel" } = props;
  const { change, onConfirm, onClose } = props;
  return (
    <Dialog title={title} onClose={onClose}>
      {change.error && <ErrorNote failure={change.error} details={change.error.details} />}
      {children}
      <DialogActions>
        <Button onClick={onClose}>{otherwise}</Button>
        <Button look={look} isBusy={change.isPending} onClick={onConfirm}>
          {action}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
