// Shows why a customer was not saved. If another customer has the external id, it links to that one.
import { Link } from "@tanstack/react-router";
import type { ErrorDetail } from "@tradepost/client/operations";
import type { Failure } from "../../api/failure.ts";
import { ErrorNote } from "../../ui/error-note.tsx";
import { Note } from "../../ui/note.tsx";

interface CustomerFailureProps {
  readonly failure: Failure;
  readonly details: readonly ErrorDetail[];
}

export function CustomerFailure({ failure, details }: CustomerFailureProps) {
  const { customerId } = failure.error;
  if (failure.status !== 409 || typeof customerId !== "string")
    return <ErrorNote failure={failure} details={details} />;
  return (
    <Note tone="danger" title="Another customer has this external id" isAlert>
      <p>Correct it, or go on with that customer.</p>
      <Link to="/customers/$customerId" params={{ customerId }}>
        Open that customer
      </Link>
    </Note>
  );
}
