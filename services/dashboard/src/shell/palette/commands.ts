// The screens and actions that the search offers besides records, by role and module. Pure.
import { type Holder, isAllowed, type Needs } from "../../session/roles.ts";
import { AREAS } from "../areas.ts";

interface Opening {
  readonly name: string;
  readonly alias?: string;
  readonly needs: Needs;
  /** Below /dashboard. */
  readonly href: string;
}

const VIEWER = { role: "viewer" } as const;
const CRM_EDITOR = { role: "editor", module: "crm" } as const;
const CONTENT_EDITOR = { role: "editor", module: "content" } as const;
const CONTENT_ADMIN = { role: "admin", module: "content" } as const;
const ADMIN = { role: "admin" } as const;

const ACTIONS: readonly Opening[] = [
  { name: "Place an order", alias: "new create", needs: CRM_EDITOR, href: "/orders/new" },
  { name: "Import orders", alias: "upload", needs: CRM_EDITOR, href: "/orders/import" },
  { name: "Create a customer", alias: "new add", needs: CRM_EDITOR, href: "/customers?add=true" },
  { name: "Write an entry", alias: "new create add content", needs: CONTENT_EDITOR, href: "/entries/new" },
  { name: "Add a redirect", alias: "new create", needs: CONTENT_EDITOR, href: "/redirects?add=true" },
  { name: "Create a key", alias: "new API token", needs: ADMIN, href: "/ai-integrations?create=true" },
  {
    name: "Create a subscription",
    alias: "new webhook endpoint",
    needs: CONTENT_ADMIN,
    href: "/webhooks?create=true",
  },
  { name: "Create a content type", alias: "new add", needs: CONTENT_ADMIN, href: "/content-types?add=empty" },
  { name: "Add a person", alias: "new invite staff user", needs: ADMIN, href: "/staff?add=true" },
  { name: "Change your password", alias: "account", needs: VIEWER, href: "/account" },
];

const MORE_SCREENS: readonly Opening[] = [
  { name: "Guides", alias: "help how-to API webhooks feed assistant MCP", needs: VIEWER, href: "/guides" },
  { name: "Your account", alias: "sessions profile password", needs: VIEWER, href: "/account" },
  {
    name: "Event types",
    alias: "webhooks examples",
    needs: { role: "viewer", module: "content" },
    href: "/webhooks/event-types",
  },
];

const SCREENS: readonly Opening[] = [...AREAS.map((area) => ({ ...area, href: area.to })), ...MORE_SCREENS];

/** Returns the actions and screens that the user may use and the text names; all of them for an empty text. */
export function commandsFor(holder: Holder, text: string) {
  const isOffered = ({ name, alias = "", needs }: Opening) =>
    isAllowed(holder, needs) && isNamed(`${name} ${alias}`, text);
  return [
    ...ACTIONS.filter(isOffered).map((action) => ({ ...action, group: "Actions", icon: "plus" as const })),
    ...SCREENS.filter(isOffered).map((screen) => ({ ...screen, group: "Go to", icon: "go" as const })),
  ];
}

/** True if every word of the text begins a word of the name. Case and accents do not matter. */
export function isNamed(name: string, text: string): boolean {
  const words = wordsOf(name);
  return wordsOf(text).every((typed) => words.some((word) => word.startsWith(typed)));
}

function wordsOf(text: string): string[] {
  const plain = text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();
  return plain.split(/[^\p{L}\p{N}]+/u).filter((word) => word !== "");
}
