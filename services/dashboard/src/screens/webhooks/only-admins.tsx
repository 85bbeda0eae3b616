// Tells who may change subscriptions those who may not.
import { holderOf, useMe } from "../../data/me.ts";
import { isAllowed, missing } from "../../session/roles.ts";
import { Note } from "../../ui/note.tsx";

const ADMIN = { role: "admin" } as const;

export function useIsAdmin(): boolean {
  return isAllowed(holderOf(useMe()), ADMIN);
}

/** Nothing for an admin. */
export function OnlyAdmins() {
  const text = missing(holderOf(useMe()), ADMIN);
  if (text === undefined) return null;
  return (
    <Note tone="info" title="You see the subscriptions and cannot change them">
      <p>{text}</p>
    </Note>
  );
}
