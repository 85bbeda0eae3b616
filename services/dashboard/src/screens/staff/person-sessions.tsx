// A person's sessions. The platform ends all of them or none.
import { useState } from "react";
import { useChange } from "../../data/use-change.ts";
import { useList } from "../../data/use-list.ts";
import { Button } from "../../ui/button.tsx";
import { ConfirmDialog } from "../../ui/confirm-dialog.tsx";
import { Section } from "../../ui/section.tsx";
import { say } from "../../ui/toasts.tsx";
import { ListView } from "../../ui/views.tsx";
import type { Person } from "./manage.ts";
import { SessionTable } from "./session-table.tsx";

interface PersonSessionsProps {
  readonly person: Person;
  readonly isMe: boolean;
}

const QUERY = { limit: 100 };

export function PersonSessions({ person, isMe }: PersonSessionsProps) {
  const [isAsking, setAsking] = useState(false);
  const list = useList("listUserSessions", QUERY, { path: { id: person.id } });
  return (
    <Section
      title="Sessions"
      action={
        list.items !== undefined &&
        list.items.length > 0 && <Button onClick={() => setAsking(true)}>End all sessions</Button>
      }
    >
      <ListView list={list} empty={<p className="soft">Not signed in anywhere.</p>}>
        {(sessions) => <SessionTable sessions={sessions} />}
      </ListView>
      {isAsking && <EndSessionsDialog person={person} isMe={isMe} onClose={() => setAsking(false)} />}
    </Section>
  );
}

interface EndSessionsDialogProps extends PersonSessionsProps {
  readonly onClose: () => void;
}

function EndSessionsDialog({ person, isMe, onClose }: EndSessionsDialogProps) {
  const { id, name } = person;
  const end = useChange("endUserSessions", {
    stale: ["listUserSessions"],
    onDone: ({ endedSessions }) => {
      say(`${endedSessions === 1 ? "1 session is" : `${endedSessions} sessions are`} ended.`);
      onClose();
    },
  });
  return (
    <ConfirmDialog
      title={`End all sessions of “${name}”?`}
      action="End all sessions"
      change={end}
      onConfirm={() => end.mutate({ path: { id } })}
      onClose={onClose}
    >
      <p>
        {isMe ? "You are signed out here too." : "They are signed out everywhere at once."} Signing in again
        needs {person.secondFactor ? "the password and a code" : "the password only"}.
      </p>
    </ConfirmDialog>
  );
}
