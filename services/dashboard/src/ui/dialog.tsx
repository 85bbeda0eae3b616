// A native modal dialog of the browser: it traps the focus and gives it back.
import { type ReactNode, type SyntheticEvent, useEffect, useId, useRef } from "react";
import "./dialog.css";

interface DialogProps {
  readonly title: string;
  readonly onClose: () => void;
  /** False if only the dialog's own buttons may close it, not Escape or a click outside. True by default. */
  readonly isDismissable?: boolean;
  readonly isWide?: boolean;
  readonly children: ReactNode;
}

/** The dialog is open for as long as it is rendered. */
export function Dialog({ title, onClose, isDismissable = true, isWide = false, children }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  useEffect(() => {
    const element = dialog.current;
    element?.showModal();
    return () => element?.close();
  }, []);
  // The event arrives late: if React runs the effect twice, the dialog is open again by then. Browsers close it on a second Escape
  // unless they know `closedby`; it is then opened again.
  const closed = () => {
    if (dialog.current?.open) return;
    if (isDismissable) onClose();
    else if (dialog.current?.isConnected) dialog.current.showModal();
  };
  const refuse = (event: SyntheticEvent) => {
    if (!isDismissable) event.preventDefault();
  };
  return (
    <dialog
      ref={dialog}
      className={isWide ? "dialog dialog-wide" : "dialog"}
      aria-labelledby={titleId}
      onCancel={refuse}
      onClose={closed}
      {...{ closedby: isDismissable ? "any" : "none" }}
    >
      <h2 id={titleId}>{title}</h2>
      {children}
    </dialog>
  );
}

/** The buttons at the end of a dialog; the main action is last. */
export function DialogActions({ children }: { children: ReactNode }) {
  return <div className="dialog-actions">{children}</div>;
}
