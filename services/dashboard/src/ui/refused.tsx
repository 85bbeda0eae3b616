// In place of a screen that the role does not allow, for those who open its address.
import { Note } from "./note.tsx";
import { Screen } from "./screen.tsx";

interface RefusedProps {
  readonly title: string;
  /** What `missing` says. */
  readonly reason: string;
}

export function Refused({ title, reason }: RefusedProps) {
  return (
    <Screen title={title}>
      <Note tone="warning" title="Your role does not allow this">
        <p>{reason}</p>
      </Note>
    </Screen>
  );
}
