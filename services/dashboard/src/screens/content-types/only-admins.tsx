// Tells users who may not change content types which roles may.
import { holderOf, useMe } from "../../data/me.ts";
import { missing } from "../../session/roles.ts";
import { Note } from "../../ui/note.tsx";

export function OnlyAdmins() {
  return (
    <Note tone="info" title="You see the types and cannot change them">
      <p>{missing(holderOf(useMe()), { role: "admin" })}</p>
    </Note>
  );
}
