// Tells users who may not change subscriptions which roles may.
import { holderOf, useIsAllowed, useMe } from "../../data/me.ts";
import { missing } from "../../session/roles.ts";
import { Note } from "../../ui/note.tsx";

const ADMIN = { role: "admin" } as const;

export function useIsAdmin(): boolean {
  return useIsAllowed(ADMIN);
}

/** Renders nothing for an admin. */
export function OnlyAdmins() {
  const text = missing(holderOf(useMe()), ADMIN);
  if (text === undefined) return null;
  return (
    <Note tone="info" title="You see the subscriptions and cannot change them">
      <p>{text}</p>
    </Note>
  );
}
