// A dialog with a secret that is shown once. Escape and a click outside do not close it, and a reload asks first, because the
// secret would be lost.
import { type ReactNode, useEffect } from "react";
import { Button } from "./button.tsx";
import { Dialog, DialogActions } from "./dialog.tsx";

interface ShownOnceDialogProps {
  readonly title: string;
  readonly done: string;
  readonly onDone: () => void;
  /** The secret in a `CodeBlock`, and what it is for. */
  readonly children: ReactNode;
}

export function ShownOnceDialog({ title, done, onDone, children }: ShownOnceDialogProps) {
  useAskBeforeLeaving();
  return (
    <Dialog title={title} onClose={onDone} isDismissable={false} isWide>
      {children}
      <DialogActions>
        <Button look="primary" onClick={onDone}>
          {done}
        </Button>
      </DialogActions>
    </Dialog>
  );
}

function useAskBeforeLeaving(): void {
  useEffect(() => {
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    addEventListener("beforeunload", ask);
    return () => removeEventListener("beforeunload", ask);
  }, []);
}
