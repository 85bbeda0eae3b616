// What users see whose role does not allow something.
import { holderOf, useMe } from "../data/me.ts";
import { missing, type Needs } from "../session/roles.ts";
import { Note } from "./note.tsx";
import { Screen } from "./screen.tsx";

interface RefusedProps {
  readonly title: string;
  /** The sentence that `missing` returns. */
  readonly reason: string;
}

/** Replaces a screen that the role may not use. */
export function Refused({ title, reason }: RefusedProps) {
  return (
    <Screen title={title}>
      <Note tone="warning" title="Your role does not allow this">
        <p>{reason}</p>
      </Note>
    </Screen>
  );
}

interface ReadOnlyProps {
  readonly title: string;
  readonly neededRole: Needs["role"];
}

/** Renders nothing for users who have the role. */
export function ReadOnly({ title, neededRole }: ReadOnlyProps) {
  const reason = missing(holderOf(useMe()), { role: neededRole });
  return (
    reason !== undefined && (
      <Note tone="info" title={title}>
        <p>{reason}</p>
      </Note>
    )
  );
}
