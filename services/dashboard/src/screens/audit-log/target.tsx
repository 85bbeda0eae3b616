// The target of an entry: its kind, its name or id, and a link if it has a page.
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { IdEnd } from "../../ui/id.tsx";

interface TargetProps {
  readonly target: { readonly type: string; readonly id: string };
  readonly name: string | undefined;
}

const KINDS: Readonly<Record<string, string>> = {
  user: "Person",
  api_key: "Key",
  module: "Module",
  webhook_subscription: "Subscription",
  webhook_listener: "Listener",
  webhook_delivery: "Delivery",
  notice_destination: "Notices",
  content_type: "Content type",
  media: "File",
  tenant: "Shop",
};

export function Target({ target, name }: TargetProps) {
  const { type, id } = target;
  const label = name === undefined ? id.length > 20 ? <IdEnd id={id} /> : id : <bdi>{name}</bdi>;
  return (
    <div className="lines">
      <span className="soft">{KINDS[type] ?? type}</span>
      <ToPage target={target}>{label}</ToPage>
    </div>
  );
}

function ToPage({
  target: { type, id },
  children,
}: Pick<TargetProps, "target"> & { readonly children: ReactNode }) {
  switch (type) {
    case "user":
      // A user whose creation was refused has an e-mail in place of an id, and no page.
      if (id.includes("@")) return children;
      return (
        <Link to="/staff/$userId" params={{ userId: id }}>
          {children}
        </Link>
      );
    case "api_key":
      return (
        <Link to="/ai-integrations" search={{ all: true }}>
          {children}
        </Link>
      );
    case "module":
      return <Link to="/modules">{children}</Link>;
    case "webhook_subscription":
      return (
        <Link to="/webhooks/$subscriptionId" params={{ subscriptionId: id }}>
          {children}
        </Link>
      );
    case "webhook_delivery":
      return (
        <Link to="/deliveries/$deliveryId" params={{ deliveryId: id }}>
          {children}
        </Link>
      );
    case "notice_destination":
      return <Link to="/notices">{children}</Link>;
    case "media":
      return (
        <Link to="/media/$mediaId" params={{ mediaId: id }}>
          {children}
        </Link>
      );
    default:
      return children;
  }
}
