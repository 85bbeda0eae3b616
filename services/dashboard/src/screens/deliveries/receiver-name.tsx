// The receiver of a delivery, with a link if it has a page.
import { Link } from "@tanstack/react-router";
import type { Receivers } from "../../data/use-receivers.ts";
import { ShortId } from "../../ui/id.tsx";

interface ReceiverNameProps {
  readonly id: string;
  readonly receivers: Receivers;
  /** Given if the receiver is known to exist, because the list of receivers may be outdated. */
  readonly name?: string | undefined;
}

export function ReceiverName({ id, receivers, name }: ReceiverNameProps) {
  const receiver = receivers.find(id);
  if (!receiver && name !== undefined) return <bdi>{name}</bdi>;
  if (receiver === undefined) return <ShortId id={id} />;
  if (receiver === null)
    return (
      <span className="soft">
        Deleted <ShortId id={id} />
      </span>
    );
  if (receiver.kind === "listener")
    return (
      <>
        <bdi>{receiver.name}</bdi> <span className="soft">(listener)</span>
      </>
    );
  return (
    <Link to="/webhooks/$subscriptionId" params={{ subscriptionId: id }}>
      <bdi>{receiver.name}</bdi>
    </Link>
  );
}
