// Asks before unsaved edits are lost: in a dialog for links and Back, with the browser's own question for a reload or a closed tab.
import { useBlocker } from "@tanstack/react-router";
import { useRef } from "react";
import { Button } from "./button.tsx";
import { Dialog, DialogActions } from "./dialog.tsx";

interface LeaveGuard {
  /** The dialog, which the form must render. */
  readonly dialog: React.ReactNode;
  /** Called after saving, so that the page can be left without a question. */
  readonly release: () => void;
}

export function useLeaveGuard(isDirty: boolean): LeaveGuard {
  const isReleased = useRef(false);
  const isGuarded = () => isDirty && !isReleased.current;
  const blocker = useBlocker({
    shouldBlockFn: isGuarded,
    enableBeforeUnload: isGuarded,
    withResolver: true,
  });
  return {
    release: () => {
      isReleased.current = true;
    },
    dialog: blocker.status === "blocked" && (
      <Dialog title="Leave without saving?" onClose={blocker.reset}>
        <p>Your changes on this page are not saved.</p>
        <DialogActions>
          <Button onClick={blocker.reset}>Stay here</Button>
          <Button look="danger" onClick={blocker.proceed}>
            Discard my changes
          </Button>
        </DialogActions>
      </Dialog>
    ),
  };
}
