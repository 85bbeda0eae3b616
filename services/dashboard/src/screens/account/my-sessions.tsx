// The user's sessions. Each can be ended, including the current one.
import type { DataOf } from "@tradepost/client/operations";
import { useChange } from "../../data/use-change.ts";
import { useList } from "../../data/use-list.ts";
import { programOf } from "../../format/user-agent.ts";
import { signOut } from "../../session/session.ts";
import { Button } from "../../ui/button.tsx";
import { ErrorNote } from "../../ui/error-note.tsx";
import { Section } from "../../ui/section.tsx";
import { say } from "../../ui/toasts.tsx";
import { discarding } from "../../ui/unsaved.ts";
import { ListView } from "../../ui/views.tsx";
import { SessionTable } from "../staff/door.ts";

type MySession = DataOf<"listMySessions">[number];

export const MY_SESSIONS_QUERY = { limit: 100 };

export function MySessions() {
  const list = useList("listMySessions", MY_SESSIONS_QUERY);
  const end = useChange("endMySession", {
    stale: ["listMySessions"],
    onDone: () => say("The session is ended."),
  });
  return (
    <Section title="Sessions" intro="If you do not know one of them, end it and change your password.">
      {end.error && <ErrorNote failure={end.error} />}
      <ListView list={list} empty={<p className="soft">Not signed in anywhere.</p>}>
        {(sessions) => (
          <SessionTable
            sessions={sessions}
            action={(session) => (
              <End
                session={session}
                isBusy={end.isPending && end.variables.path?.id === session.id}
                onEnd={() => end.mutate({ path: { id: session.id } })}
              />
            )}
          />
        )}
      </ListView>
    </Section>
  );
}

interface EndProps {
  readonly session: MySession;
  readonly isBusy: boolean;
  readonly onEnd: () => void;
}

function End({ session: { current, userAgent }, isBusy, onEnd }: EndProps) {
  // Signing out ends the current session, and also notifies the other tabs.
  const leave = () =>
    discarding(signOut).catch(() => say("You are still signed in: Tradepost does not respond."));
  return (
    <Button look="quiet" isBusy={isBusy} onClick={current ? leave : onEnd}>
      End<span className="hidden"> {current ? "this session" : programOf(userAgent)}</span>
    </Button>
  );
}
