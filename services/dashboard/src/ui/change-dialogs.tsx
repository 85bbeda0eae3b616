// Dialogs that carry out a change: `ChangeDialog` has a form, `Confirm` only asks, and `FormDialog` leaves the change to its parent.
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
  readonly explain?: Explain;
  readonly conflicts?: Readonly<Record<string, string>>;
  readonly onClose?: () => void;
  readonly children: ReactNode;
}

interface ConfirmProps<Id extends OperationId> extends Omit<ChangeDialogProps<Id>, "input" | "children"> {
  readonly input: ChangeInput<Id>;
  /** The consequences, and whether they can be undone. */
  readonly text?: string;
  readonly children?: ReactNode;
}

export function Confirm<Id extends OperationId>({ input, text, children, ...props }: ConfirmProps<Id>) {
  return (
    <ChangeDialog look="danger" {...props} input={() => input}>
      <div className="form question">
        {text !== undefined && <p>{text}</p>}
        {children}
      </div>
    </ChangeDialog>
  );
}

interface ChangeDialogProps<Id extends OperationId> extends DialogProps, Omit<ChangeOptions<Id>, "onDone"> {
  readonly operation: Id;
  /** Reads the form. Null if nothing has changed: the dialog is closed. */
  readonly input: (form: FormData) => ChangeInput<Id> | null;
  /** The version that is saved now. The change is against the version that was saved when the dialog opened. */
  readonly etag?: string | undefined;
  /** How the sent values differ from the saved values; shown after a 412. */
  readonly differences?: (sent: ChangeInput<Id>) => readonly Difference[];
  readonly onDone?: (data: DataOf<Id>, close: () => void) => void;
  readonly onError?: (failure: Failure) => void;
}

export function ChangeDialog<Id extends OperationId>(props: ChangeDialogProps<Id>) {
  const { operation, input, etag, differences, explain = errorNote, onDone, onError } = props;
  const [seenEtag] = useState(etag);
  const [sent, setSent] = useState<ChangeInput<Id> | null>(null);
  const close = useClose(props.onClose);
  const change = useChange(operation, {
    ...props,
    onDone: (data) => (onDone === undefined ? close() : onDone(data, close)),
  });
  const send = (read: ChangeInput<Id>) => change.mutate(read, { onError: (failure) => onError?.(failure) });
  const submit = (form: FormData) => {
    const read = input(form);
    setSent(read);
    if (read === null) close();
    else send({ ifMatch: seenEtag, ...read });
  };
  const isConflict =
    change.error?.status === 412 && differences !== undefined && etag !== seenEtag && sent !== null;
  return (
    <FormDialog
      {...props}
      change={change}
      isCovered={isConflict}
      explain={(failure, details) =>
        isConflict ? (
          <VersionConflict
            differences={differences(sent)}
            onSaveYours={() => send({ ...sent, ifMatch: etag })}
            onTakeTheirs={close}
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
  /** The result of `useChange` or of a similar hook. */
  readonly change?: { readonly error: Failure | null; readonly isPending: boolean };
  /** True if only the explanation is shown, not the fields and the buttons. */
  readonly isCovered?: boolean;
  readonly onSubmit: (form: FormData) => unknown;
}

export function FormDialog(props: FormDialogProps) {
  const { title, isWide, describedBy, children, action, look = "primary", otherwise = "Cancel" } = props;
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
