// Asks before an action that people may regret, and carries it out.
import type { DataOf, OperationId } from "@tradepost/client/operations";
import type { ReactNode } from "react";
import type { Failure } from "../api/failure.ts";
import { type ChangeInput, useChange } from "../data/use-change.ts";
import { Button } from "./button.tsx";
import { Dialog, DialogActions } from "./dialog.tsx";
import { ErrorNote } from "./error-note.tsx";
import { say } from "./toasts.tsx";

interface ConfirmProps<Id extends OperationId> {
  /** A question: `Cancel order 1001?` */
  readonly title: string;
  /** The consequences, and whether they can be undone. */
  readonly children: ReactNode;
  /** The verb and its object: `Cancel order`. */
  readonly action: string;
  readonly look?: "primary" | "danger";
  /** The other button. `Cancel` by default, which would be unclear next to another cancellation. */
  readonly otherwise?: string;
  readonly operation: Id;
  readonly input: ChangeInput<Id>;
  /** The operations whose data is read again. */
  readonly stale: readonly OperationId[];
  /** What a toast says after the action. */
  readonly done?: string | ((data: DataOf<Id>) => string);
  /** Called after the action, in place of `onClose`. */
  readonly onDone?: (data: DataOf<Id>) => void;
  readonly onError?: (failure: Failure) => void;
  /** Shows a failure that `ErrorNote` would explain badly. */
  readonly explain?: (failure: Failure) => ReactNode;
  readonly onClose: () => void;
}

export function Confirm<Id extends OperationId>(props: ConfirmProps<Id>) {
  const { title, children, action, look = "danger", otherwise = "Cancel", operation, input, stale } = props;
  const { done, onDone, onError, explain = errorNote, onClose } = props;
  const change = useChange(operation, {
    stale,
    onDone: (data) => {
      if (done !== undefined) say(typeof done === "string" ? done : done(data));
      if (onDone) onDone(data);
      else onClose();
    },
  });
  return (
    <Dialog title={title} onClose={onClose}>
      {change.error && explain(change.error)}
      {children}
      <DialogActions>
        <Button onClick={onClose}>{otherwise}</Button>
        <Button
          look={look}
          isBusy={change.isPending}
          onClick={() => change.mutate(input, { onError: (failure) => onError?.(failure) })}
        >
          {action}
        </Button>
      </DialogActions>
    </Dialog>
  );
}

function errorNote(failure: Failure) {
  return <ErrorNote failure={failure} details={failure.details} />;
}
