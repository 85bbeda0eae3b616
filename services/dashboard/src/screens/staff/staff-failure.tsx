// Shows why a change of staff was refused. The last owner is a separate case, because reading again does not help.
import type { ErrorDetail } from "@tradepost/client/operations";
import type { Failure } from "../../api/failure.ts";
import { ErrorNote } from "../../ui/error-note.tsx";
import { Note } from "../../ui/note.tsx";

interface StaffFailureProps {
  readonly failure: Failure;
  readonly details?: readonly ErrorDetail[];
}

export function StaffFailure({ failure, details = [] }: StaffFailureProps) {
  if (failure.code !== "last_owner") return <ErrorNote failure={failure} details={details} />;
  return (
    <Note tone="danger" title="This is the last active owner" isAlert>
      <p>A shop always has one, or nobody could manage it. Make someone else an owner first.</p>
    </Note>
  );
}
