// Shown in place of a screen whose address was opened by a role that may not use it.
import { Note } from "./note.tsx";
import { Screen } from "./screen.tsx";

interface RefusedProps {
  readonly title: string;
  /** The sentence that `missing` returns. */
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
