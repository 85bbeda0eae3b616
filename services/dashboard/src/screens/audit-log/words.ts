import { wordsOf } from "../../format/words.ts";

interface ActionText {
  readonly action: string;
  readonly text: string;
  /** True if somebody should look into the action unless it was expected. */
  readonly isAlarming?: true;
}

export const ACTIONS: readonly ActionText[] = [
  { action: "auth.login", text: "Signed in" },
  { action: "auth.login_failed", text: "Sign-in failed", isAlarming: true },
  { action: "auth.logout", text: "Signed out" },
  { action: "auth.password_changed", text: "Changed the password" },
  { action: "auth.refresh_reused", text: "Session ended: its cookie was used twice", isAlarming: true },
  { action: "second_factor.enabled", text: "Set up a second factor" },
  { action: "second_factor.removed", text: "Removed a second factor" },
  { action: "identity.linked", text: "Linked an account of the provider" },
  { action: "identity.unlinked", text: "Unlinked the account of the provider" },
  { action: "user.created", text: "Added a person" },
  { action: "user.updated", text: "Changed a person" },
  { action: "user.deleted", text: "Removed a person" },
  { action: "user.refused", text: "Tried a change of a person that was refused", isAlarming: true },
  { action: "user.setup_link_made", text: "Made a setup link" },
  { action: "user.sessions_ended", text: "Ended the sessions of a person" },
  { action: "api_key.created", text: "Created a key" },
  { action: "api_key.updated", text: "Changed a key" },
  { action: "api_key.rotated", text: "Rotated a key" },
  { action: "api_key.revoked", text: "Revoked a key" },
  { action: "webhook_subscription.created", text: "Created a webhook subscription" },
  { action: "webhook_subscription.updated", text: "Changed a webhook subscription" },
  { action: "webhook_subscription.deleted", text: "Deleted a webhook subscription" },
  { action: "webhook_subscription.retried", text: "Retried what waits for a webhook subscription" },
  { action: "notice_destination.updated", text: "Changed where notices are sent" },
  { action: "notice_destination.deleted", text: "Sends notices nowhere" },
  { action: "webhook_subscription.secret_rotated", text: "Rotated the secret of a webhook subscription" },
  { action: "webhook_listener.created", text: "Created a listener" },
  { action: "webhook_listener.deleted", text: "Deleted a listener" },
  { action: "webhook_delivery.redelivered", text: "Sent a delivery again" },
  { action: "webhook_recovery.started", text: "Recovered failed deliveries" },
  { action: "webhook_replay.started", text: "Started a replay" },
  { action: "webhook_replay.cancelled", text: "Cancelled a replay" },
  { action: "customer.erased", text: "Erased a customer" },
  { action: "customers.exported", text: "Exported customers" },
  { action: "orders.exported", text: "Exported orders" },
  { action: "content_type.updated", text: "Created or changed a content type" },
  { action: "media_link.created", text: "Made a public link to a file" },
  { action: "media_links.ended", text: "Ended the links to a file" },
  { action: "module.updated", text: "Switched a module" },
  { action: "security.updated", text: "Changed how everybody signs in" },
  { action: "shop.updated", text: "Changed the settings of the shop" },
  { action: "tenant.suspended", text: "Suspended the shop" },
  { action: "tenant.resumed", text: "Resumed the shop" },
  { action: "tenant.quotas_set", text: "Set the shop's quotas" },
];

/** An action that this release does not know is shown as it is. */
export function textOfAction(action: string): ActionText {
  return ACTIONS.find((known) => known.action === action) ?? { action, text: action };
}

interface Change {
  readonly field: string;
  /** Undefined if the entry has no earlier value: the resource is new, or only the new value is recorded. */
  readonly before: string | undefined;
  readonly after: string;
}

/** Shows every value as text, so that markup that somebody typed has no effect. */
export function changesOf(changes: Readonly<Record<string, unknown>>): Change[] {
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
