// Shows why a change of a subscription was refused. The limit is a separate case, because reading again does not help.
import type { ErrorDetail } from "@tradepost/client/operations";
import type { Failure } from "../../api/failure.ts";
import { ErrorNote } from "../../ui/error-note.tsx";
import { Note } from "../../ui/note.tsx";

interface WebhooksFailureProps {
  readonly failure: Failure;
  readonly details?: readonly ErrorDetail[];
}

export function WebhooksFailure({ failure, details = [] }: WebhooksFailureProps) {
  if (failure.code !== "subscription_limit") return <ErrorNote failure={failure} details={details} />;
  return (
    <Note tone="danger" title="This shop has 50 subscriptions, which is the limit" isAlert>
      <p>Delete one that is no longer needed, or let one receiver pass its events on.</p>
    </Note>
  );
}
