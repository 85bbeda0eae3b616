import { wordsOf } from "../../format/words.ts";

export const ACTIONS: Readonly<Record<string, string>> = {
  "auth.login": "Signed in",
  "auth.login_failed": "Sign-in failed",
  "auth.logout": "Signed out",
  "auth.password_changed": "Changed the password",
  "auth.refresh_reused": "Session ended: its cookie was used twice",
  "second_factor.enabled": "Set up a second factor",
  "second_factor.removed": "Removed a second factor",
  "identity.linked": "Linked an account of the provider",
  "identity.unlinked": "Unlinked the account of the provider",
  "user.created": "Added a person",
  "user.updated": "Changed a person",
  "user.deleted": "Removed a person",
  "user.refused": "Tried a change of a person that was refused",
  "user.setup_link_made": "Made a setup link",
  "user.sessions_ended": "Ended the sessions of a person",
  "api_key.created": "Created a key",
  "api_key.updated": "Changed a key",
  "api_key.rotated": "Rotated a key",
  "api_key.revoked": "Revoked a key",
  "webhook_subscription.created": "Created a webhook subscription",
  "webhook_subscription.updated": "Changed a webhook subscription",
  "webhook_subscription.deleted": "Deleted a webhook subscription",
  "webhook_subscription.retried": "Retried what waits for a webhook subscription",
  "notice_destination.updated": "Changed where notices are sent",
  "notice_destination.deleted": "Sends notices nowhere",
  "webhook_subscription.secret_rotated": "Rotated the secret of a webhook subscription",
  "webhook_listener.created": "Created a listener",
  "webhook_listener.deleted": "Deleted a listener",
  "webhook_delivery.redelivered": "Sent a delivery again",
  "webhook_recovery.started": "Recovered failed deliveries",
  "webhook_replay.started": "Started a replay",
  "webhook_replay.cancelled": "Cancelled a replay",
  "customer.erased": "Erased a customer",
  "customers.exported": "Exported customers",
  "orders.exported": "Exported orders",
  "content_type.updated": "Created or changed a content type",
  "media_link.created": "Made a public link to a file",
  "media_links.ended": "Ended the links to a file",
  "module.updated": "Switched a module",
  "security.updated": "Changed how everybody signs in",
  "shop.updated": "Changed the settings of the shop",
  "tenant.suspended": "Suspended the shop",
  "tenant.resumed": "Resumed the shop",
  "tenant.quotas_set": "Set the shop's quotas",
};

/** Somebody should look into these, unless they were expected. */
export const ALARMING_ACTIONS: ReadonlySet<string> = new Set([
  "auth.login_failed",
  "auth.refresh_reused",
  "user.refused",
]);

/** An action that this release does not know is shown as it is. */
export function textOfAction(action: string): string {
  return ACTIONS[action] ?? action;
}

/**
 * Shows every value as text, so that markup that somebody typed has no effect. `before` is undefined if the entry has no earlier value:
 * the resource is new, or only the new value is recorded.
 */
export function changesOf(changes: Readonly<Record<string, unknown>>) {
  return Object.entries(changes).map(([name, value]) => {
    const pair = pairOf(value);
    return {
      field: wordsOf(name),
      before: pair && textOf(pair.from),
      after: textOf(pair === undefined ? value : pair.to),
    };
  });
}

function pairOf(value: unknown): { readonly from: unknown; readonly to: unknown } | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  const isPair = Object.keys(value).length === 2 && "from" in value && "to" in value;
  return isPair ? (value as { from: unknown; to: unknown }) : undefined;
}

function textOf(value: unknown): string {
  if (value === null || value === undefined || value === "") return "none";
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (Array.isArray(value)) return value.length === 0 ? "none" : value.map(textOf).join(", ");
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}
