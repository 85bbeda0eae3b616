import { Note } from "../../ui/note.tsx";

export function ReadOnly() {
  return (
    <Note tone="info" title="You see entries and cannot change them">
      <p>Editors, admins and owners may write and publish.</p>
    </Note>
  );
}
