// Signs the user out, and asks before unsaved text is lost by it.
import { signOut } from "../session/session.ts";
import { createStore } from "../session/store.ts";
import { useStore } from "../session/use-store.ts";
import { LeaveQuestion } from "../ui/dialog.tsx";
import { say } from "../ui/toasts.tsx";
import { discarding, isUnsaved } from "../ui/unsaved.ts";

const isAsking = createStore(false);

export function leave(): void {
  if (isUnsaved()) isAsking.set(true);
  else void end();
}

async function end(): Promise<void> {
  isAsking.set(false);
  await discarding(signOut).catch(() => say("You are still signed in: Tradepost does not respond."));
}

export function SignOutQuestion() {
  return useStore(isAsking) && <LeaveQuestion onStay={() => isAsking.set(false)} onLeave={end} />;
}
