// Asks before unsaved edits are lost: in a dialog for links and Back, with the browser's own question for a reload or a closed tab.
import { useBlocker } from "@tanstack/react-router";
import { type ReactNode, useRef } from "react";
import { LeaveQuestion } from "./dialog.tsx";
import { TypedText, useGuard } from "./unsaved.ts";

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
  const blocker = useBlocker({ shouldBlockFn: isGuarded, enableBeforeUnload: isGuarded, withResolver: true });
  return {
    release: () => {
      isReleased.current = true;
    },
    dialog: blocker.status === "blocked" && (
      <LeaveQuestion onStay={blocker.reset} onLeave={blocker.proceed} />
    ),
  };
}

/** Guards the typed text of the forms in it, until it is sent. Other addresses of the same screen keep it. */
export function LeaveGuard({ children }: { readonly children: ReactNode }) {
  const hasText = useRef(false);
  useGuard(() => hasText.current);
  const blocker = useBlocker({
    shouldBlockFn: ({ current, next }) => hasText.current && current.pathname !== next.pathname,
    enableBeforeUnload: () => hasText.current,
    withResolver: true,
  });
  return (
    <>
      <TypedText value={hasText}>{children}</TypedText>
      {blocker.status === "blocked" && <LeaveQuestion onStay={blocker.reset} onLeave={blocker.proceed} />}
    </>
  );
}
