// A person's sessions. The platform ends all of them or none.

import { useState } from "react";
import { useList } from "../../data/use-list.ts";
import { Button } from "../../ui/button.tsx";
import { Confirm } from "../../ui/confirm.tsx";
import { Section } from "../../ui/section.tsx";
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
  const input = { path: { id: person.id } };
  const list = useList("listUserSessions", QUERY, input);
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
      {isAsking && (
        <Confirm
          title={`End all sessions of “${person.name}”?`}
          action="End all sessions"
          operation="endUserSessions"
          input={input}
          stale={["listUserSessions"]}
          done={({ endedSessions }) =>
            `${endedSessions === 1 ? "1 session is" : `${endedSessions} sessions are`} ended.`
          }
          onClose={() => setAsking(false)}
        >
          <p>
            {isMe ? "You are signed out here too." : "They are signed out everywhere at once."} Signing in
            again needs {person.secondFactor ? "the password and a code" : "the password only"}.
          </p>
        </Confirm>
      )}
    </Section>
  );
}
