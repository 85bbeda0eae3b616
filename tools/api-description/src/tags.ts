// The groups of operations with their introductions in the document. Pure.

const DESCRIPTIONS: Readonly<Record<string, string>> = {
  Description: "This description itself.",
  "Sign-in": "How a user of the dashboard gets a token and keeps it.",
  Me: "The caller: an API key or a user, with its tenant.",
  "API keys": "Credentials of programs. An API key has the role editor, narrowed by its scopes.",
  Users: "The staff who sign in to the dashboard.",
  Modules: "The parts of the platform that are active for the tenant: `crm` and `content`.",
  Usage: "What the tenant uses, and its quotas.",
  Security: "What the tenant requires of its users.",
  "Audit log": "Who changed keys, users, modules and webhooks, and who signed in.",
  Orders: "Orders, their payments and their way to the customer.",
  Customers: "Those who order.",
  Erasures: "The end of what the platform knows about a person.",
  Redirects: "Which paths of the site lead elsewhere.",
  "Content types": "Which fields the entries of a type have.",
  Entries: "Content with drafts, revisions, schedules and a live version.",
  Media: "Uploaded files and smaller versions of images.",
  "Change feeds":
    "Everything that happened to a module's resources, in an order in which a reader misses nothing.",
  "Webhook subscriptions": "Where the tenant's events are sent to.",
  "Webhook deliveries": "The log of what was sent, attempt by attempt.",
  "Webhook events": "What happened, and why something arrived or did not.",
  "Webhook ledger": "Counts and digests of a day, with which a receiver proves that it has everything.",
  Listeners: "Deliveries for receivers that nobody can reach from outside: they fetch them.",
  Notices: "What needs somebody's care, and where that is sent.",
  "Requests to receivers": "What the platform sends to a subscription's URL.",
};

/**
 * Returns the tag objects of these groups, in the given order.
 *
 * @throws an Error for a group without a description.
 */
export function tagsOf(names: readonly string[]): { name: string; description: string }[] {
  return names.map((name) => {
    const description = DESCRIPTIONS[name];
    if (description === undefined) throw new Error(`the group ${name} has no description`);
    return { name, description };
  });
}
