// Dialogs that carry out a change: `Confirm` asks, `ChangeDialog` has a form, and `FormDialog` leaves the change to its parent.
import type { DataOf, OperationId } from "@tradepost/client/operations";
import { type ComponentProps, type ReactNode, useState } from "react";
import type { Failure } from "../api/failure.ts";
import { type ChangeInput, type ChangeOptions, useChange } from "../data/operations.ts";
import { Button } from "./button.tsx";
import { Dialog, DialogActions, useClose, useOpening } from "./dialog.tsx";
import { type Explain, errorNote, Form } from "./form.tsx";
import { type Difference, VersionConflict } from "./version-conflict.tsx";

interface DialogButtonProps extends ComponentProps<typeof Button> {
  /** False if the button is not shown. An open dialog stays. */
  readonly isOffered?: boolean;
}

/** A button that opens the dialog in it. */
export function DialogButton({ isOffered = true, children, ...button }: DialogButtonProps) {
  const { open, opened } = useOpening(children);
  return (
    <>
      {isOffered && <Button {...button} onClick={open} />}
      {opened}
    </>
  );
}

interface ChangeProps<Id extends OperationId> extends Omit<ChangeOptions<Id>, "onDone"> {
  readonly operation: Id;
  readonly onDone?: (data: DataOf<Id>, close: () => void) => void;
  readonly onError?: (failure: Failure) => void;
  readonly explain?: Explain;
  readonly onClose?: () => void;
}

function useDialogChange<Id extends OperationId>(props: ChangeProps<Id>) {
  const { operation, onError, onDone } = props;
  const close = useClose(props.onClose);
  const change = useChange(operation, {
    ...props,
    onDone: (data) => (onDone === undefined ? close() : onDone(data, close)),
  });
  const send = (input: ChangeInput<Id>) => change.mutate(input, { onError: (failure) => onError?.(failure) });
  return { error: change.error, isPending: change.isPending, send, close };
}

interface DialogProps {
  readonly describedBy?: string | undefined;
  /** A question in a `Confirm`: `Cancel order 1001?` */
  readonly title: string;
  readonly isWide?: boolean;
  /** The verb and its object: `Cancel order`. Undefined if the form cannot be sent now. */
  readonly action: string | undefined;
  readonly look?: "primary" | "danger";
  /** The other button. `Cancel` by default, which would be unclear next to another cancellation. */
  readonly otherwise?: string;
}

interface ConfirmProps<Id extends OperationId>
  extends ChangeProps<Id>,
    Omit<DialogProps, "isWide" | "describedBy"> {
  readonly action: string;
  readonly input: ChangeInput<Id>;
  /** The consequences, and whether they can be undone. */
  readonly text?: string;
  readonly children?: ReactNode;
}

export function Confirm<Id extends OperationId>(props: ConfirmProps<Id>) {
  const { title, text, children, action, look = "danger", otherwise = "Cancel", input } = props;
  const { explain = errorNote } = props;
  const { error, isPending, send, close } = useDialogChange(props);
  return (
    <Dialog title={title} onClose={close}>
      {error && explain(error, error.details)}
      {text !== undefined && <p>{text}</p>}
      {children}
      <DialogActions>
        <Button text={otherwise} onClick={close} />
        <Button text={action} look={look} isBusy={isPending} onClick={() => send(input)} />
      </DialogActions>
    </Dialog>
  );
}

interface ChangeDialogProps<Id extends OperationId> extends ChangeProps<Id>, DialogProps {
  /** Reads the form. Null if nothing has changed: the dialog is closed. */
  readonly input: (form: FormData) => ChangeInput<Id> | null;
  readonly conflicts?: Readonly<Record<string, string>>;
  readonly conflict?: Conflict<Id>;
  readonly children: ReactNode;
}

/** After a 412, the dialog shows what was sent and what is saved now. */
interface Conflict<Id extends OperationId> {
  /** False until the version that is saved now is read. */
  readonly isRead: boolean;
  readonly etag: string | undefined;
  readonly differences: (sent: ChangeInput<Id>) => readonly Difference[];
}

export function ChangeDialog<Id extends OperationId>(props: ChangeDialogProps<Id>) {
  const { input, conflict, explain = errorNote } = props;
  const [sent, setSent] = useState<ChangeInput<Id> | null>(null);
  const change = useDialogChange(props);
  const submit = (form: FormData) => {
    const read = input(form);
    setSent(read);
    if (read === null) change.close();
    else change.send(read);
  };
  const isConflict = change.error?.status === 412 && conflict?.isRead && sent !== null;
  return (
    <FormDialog
      {...props}
      change={change}
      isCovered={isConflict}
      explain={(failure, details) =>
        isConflict ? (
          <VersionConflict
            differences={conflict.differences(sent)}
            onSaveYours={() => change.send({ ...sent, ifMatch: conflict.etag })}
            onTakeTheirs={change.close}
          />
        ) : (
          explain(failure, details)
        )
      }
      onSubmit={submit}
    />
  );
}

const NO_CHANGE = { error: null, isPending: false };

interface FormDialogProps extends DialogProps {
  /** The result of `useChange`, or its like. */
  readonly change?: { readonly error: Failure | null; readonly isPending: boolean };
  readonly explain?: Explain;
  readonly conflicts?: Readonly<Record<string, string>>;
  /** True if only the explanation is shown, not the fields and the buttons. */
  readonly isCovered?: boolean | undefined;
  readonly onSubmit: (form: FormData) => unknown;
  readonly onClose?: () => void;
  readonly children: ReactNode;
}

export function FormDialog(props: FormDialogProps) {
  const {
    title,
    isWide = false,
    describedBy,
    children,
    action,
    look = "primary",
    otherwise = "Cancel",
  } = props;
  const { change = NO_CHANGE, explain, conflicts, isCovered = false, onSubmit } = props;
  const close = useClose(props.onClose);
  return (
    <Dialog title={title} onClose={close} isWide={isWide} describedBy={describedBy}>
      <Form failure={change.error} explain={explain} conflicts={conflicts} onSubmit={onSubmit}>
        <div className="form" hidden={isCovered}>
          {children}
        </div>
        {!isCovered && (
          <DialogActions>
            <Button text={otherwise} onClick={close} />
            {action !== undefined && (
              <Button text={action} type="submit" look={look} isBusy={change.isPending} />
            )}
          </DialogActions>
        )}
      </Form>
    </Dialog>
  );
}
