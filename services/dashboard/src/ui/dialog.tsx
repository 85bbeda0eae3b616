// A modal dialog of the browser's own: it traps the focus and gives it back.
import { type ReactNode, type SyntheticEvent, useEffect, useId, useRef } from "react";
import "./dialog.css";

interface DialogProps {
  readonly title: string;
  readonly onClose: () => void;
  /** False if neither Escape nor a click beside it may close it: only one of its own buttons does. True by default. */
  readonly isDismissable?: boolean;
  readonly isWide?: boolean;
  readonly children: ReactNode;
}

/** Open for as long as it is rendered. */
export function Dialog({ title, onClose, isDismissable = true, isWide = false, children }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  useEffect(() => {
    const element = dialog.current;
    element?.showModal();
    return () => element?.close();
  }, []);
  // The event is late: an effect that React repeats has opened the dialog again by then.
  // Browsers let a second Escape through; `closedby` stops it, and where that is unknown the dialog opens again.
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

/** The buttons at the end of a dialog, the one that goes on last. */
export function DialogActions({ children }: { children: ReactNode }) {
  return <div className="dialog-actions">{children}</div>;
}
