// No subscription yet, or none in the chosen state.
import { Link } from "@tanstack/react-router";
import { EmptyState } from "../../ui/empty-state.tsx";
import { useIsAdmin } from "./only-admins.tsx";

export function NoSubscriptions({ isFiltered }: { readonly isFiltered: boolean }) {
  const isAdmin = useIsAdmin();
  if (isFiltered)
    return (
      <EmptyState title="No subscription is in this state">
        <Link to="/webhooks">Show all subscriptions</Link>
      </EmptyState>
    );
  return (
    <EmptyState title="No system is subscribed yet">
      <p>
        A subscription sends a signed request to a URL of yours as soon as something happens here: an entry is
        published, a file is ready, a redirect is added.
      </p>
      {isAdmin ? (
        <Link to="/webhooks" search={{ create: true }}>
          Subscribe a URL
        </Link>
      ) : (
        <p>An admin can create one.</p>
      )}
      <p>
        <code>{`npx -p ${location.origin}/client.tgz tradepost listen`}</code> forwards events to your machine
        while you develop a receiver. It needs no public URL.
      </p>
    </EmptyState>
  );
}
