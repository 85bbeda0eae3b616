// A native modal dialog of the browser: it traps the focus and gives it back. If it has a form with typed text, it asks before
// that is lost by Escape, a click outside, Back, a link or a closed tab. Its own Cancel button does not ask.
import { type ShouldBlockFn, useBlocker } from "@tanstack/react-router";
import {
  createContext,
  type ReactNode,
  type SyntheticEvent,
  use,
  useEffect,
  useId,
  useRef,
  useState,
} from "react";
import { Button } from "./button.tsx";
import { Note } from "./note.tsx";
import { TypedText, useGuard } from "./unsaved.ts";
import "./dialog.css";

const Closing = createContext<() => void>(() => undefined);

/** Returns `onClose`, or else the function by which `useOpening` closes the dialog. */
export function useClose(onClose?: () => void): () => void {
  const close = use(Closing);
  return onClose ?? close;
}

/** `opened` is the dialog while it is open. */
export function useOpening(dialog: ReactNode) {
  const [isOpen, setOpen] = useState(false);
  const close = () => setOpen(false);
  return { open: () => setOpen(true), opened: isOpen && <Closing value={close}>{dialog}</Closing> };
}

interface DialogProps {
  readonly title: string;
  readonly onClose?: (() => void) | undefined;
  /** False if only the dialog's own buttons may close it, not Escape or a click outside. True by default. */
  readonly isDismissable?: boolean;
  readonly isWide?: boolean | undefined;
  /** True if nothing of the screen below is visible. */
  readonly isCovering?: boolean;
  /** The ids of the elements that screen readers read after the title when the dialog opens. */
  readonly describedBy?: string | undefined;
  readonly children: ReactNode;
}

/** The dialog is open for as long as it is rendered. */
export function Dialog({ onClose, isDismissable = true, children, ...rest }: DialogProps) {
  const close = useClose(onClose);
  const hasText = useRef(false);
  const [isAsking, setAsking] = useState(false);
  const question = useLeaveQuestion(
    () => hasText.current,
    // A new address of the same screen opens or closes a dialog on purpose. Going back to an earlier one may be a mistake.
    ({ action, current, next }) =>
      (action !== "PUSH" && action !== "REPLACE") || current.pathname !== next.pathname,
  );
  const dismiss = () => {
    if (!isDismissable) return false;
    if (hasText.current) setAsking(true);
    else close();
    return !hasText.current;
  };
  return (
    <Modal {...rest} isLightDismissed={isDismissable} onDismiss={dismiss}>
      <TypedText value={hasText}>{children}</TypedText>
      {isAsking && <LeaveQuestion onStay={() => setAsking(false)} onLeave={close} />}
      {question}
    </Modal>
  );
}

/** Asks before unsaved text is lost with the address or the tab. Returns the question while it is asked. */
function useLeaveQuestion(isDirty: () => boolean, isLeaving: ShouldBlockFn = () => true): ReactNode {
  const blocker = useBlocker({
    shouldBlockFn: (step) => isDirty() && isLeaving(step),
    enableBeforeUnload: isDirty,
    withResolver: true,
  });
  return blocker.status === "blocked" && <LeaveQuestion onStay={blocker.reset} onLeave={blocker.proceed} />;
}

interface LeaveQuestionProps {
  readonly onStay: () => void;
  readonly onLeave: () => void;
}

export function LeaveQuestion({ onStay, onLeave }: LeaveQuestionProps) {
  const stay = () => {
    onStay();
    return true;
  };
  return (
    <Modal title="Leave without saving?" isLightDismissed onDismiss={stay}>
      <p>What you typed here is not saved.</p>
      <DialogActions>
        <Button text="Stay here" onClick={onStay} />
        <Button text="Discard my changes" look="danger" onClick={onLeave} />
      </DialogActions>
    </Modal>
  );
}

interface ModalProps
  extends Pick<DialogProps, "title" | "isWide" | "isCovering" | "describedBy" | "children"> {
  /** True if a click outside dismisses it. */
  readonly isLightDismissed: boolean;
  /** Called for Escape and a click outside. Returns false if the dialog stays open. */
  readonly onDismiss: () => boolean;
}

function Modal({ title, describedBy, isLightDismissed, onDismiss, children, ...looks }: ModalProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  useEffect(() => {
    const element = dialog.current;
    element?.showModal();
    return () => element?.close();
  }, []);
  const cancelled = (event: SyntheticEvent) => {
    if (event.target !== dialog.current) return;
    event.preventDefault();
    onDismiss();
  };
  // On a second Escape, browsers close a dialog without `cancel`. `close` arrives late: if React runs the effect twice, the dialog is
  // open again by then.
  const closed = () => {
    if (dialog.current?.open) return;
    if (!onDismiss() && dialog.current?.isConnected) dialog.current.showModal();
  };
  return (
    <dialog
      ref={dialog}
      className={classOf(looks)}
      aria-labelledby={titleId}
      aria-describedby={describedBy}
      onCancel={cancelled}
      onClose={closed}
      {...{ closedby: isLightDismissed ? "any" : "none" }}
    >
      <h2 id={titleId}>{title}</h2>
      {children}
    </dialog>
  );
}

function classOf({ isWide, isCovering }: Pick<DialogProps, "isWide" | "isCovering">): string {
  return ["dialog", isWide && "dialog-wide", isCovering && "dialog-covering"].filter(Boolean).join(" ");
}

/** Closes a dialog that has no `onClose` of its own. */
export function CancelButton() {
  return <Button text="Cancel" onClick={useClose()} />;
}

/** The buttons at the end of a dialog; the main action is last. */
export function DialogActions({ children }: { children: ReactNode }) {
  return <div className="dialog-actions">{children}</div>;
}

interface LeaveGuard {
  /** The dialog, which the form must render. */
  readonly dialog: ReactNode;
  /** Called after saving, so that the page can be left without a question. */
  readonly release: () => void;
}

export function useLeaveGuard(isDirty: boolean): LeaveGuard {
  const isReleased = useRef(false);
  const isGuarded = () => isDirty && !isReleased.current;
  useGuard(isGuarded);
  return {
    dialog: useLeaveQuestion(isGuarded),
    release: () => {
      isReleased.current = true;
    },
  };
}

/** Guards the typed text of the forms in it, until it is sent. Other addresses of the same screen keep it. */
export function LeaveGuard({ children }: { readonly children: ReactNode }) {
  const hasText = useRef(false);
  useGuard(() => hasText.current);
  const question = useLeaveQuestion(
    () => hasText.current,
    ({ current, next }) => current.pathname !== next.pathname,
  );
  return (
    <>
      <TypedText value={hasText}>{children}</TypedText>
      {question}
    </>
  );
}

type Words = readonly [title: string, text: string];

interface ShownOnceDialogProps {
  readonly title: string;
  /** In a `CodeBlock`; null if an earlier request has shown it. */
  readonly secret: ReactNode;
  readonly now: Words;
  readonly lost?: Words;
  readonly done?: string;
  readonly onDone: () => void;
  readonly children?: ReactNode;
}

export function ShownOnceDialog(props: ShownOnceDialogProps) {
  const { title, secret, now, lost = now, done = "I have stored it", onDone, children } = props;
  const [noteTitle, text] = secret === null ? lost : now;
  useBlocker({ shouldBlockFn: () => false, enableBeforeUnload: true });
  return (
    <Dialog title={title} onClose={onDone} isDismissable={false} isWide>
      <Note tone={secret === null ? "danger" : "warning"} title={noteTitle} text={text} />
      {secret}
      {children}
      <DialogActions>
        <Button text={done} look="primary" onClick={onDone} />
      </DialogActions>
    </Dialog>
  );
}
