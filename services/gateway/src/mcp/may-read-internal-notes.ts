// Decides who sees the internal note of an order in a tool's result. Pure.
import { type Principal, roles } from "@tradepost/http";

/**
 * Over HTTP every reader of an order sees its internal note. A model reads for someone else and repeats what it read, so here
 * it is only for callers who may write one.
 */
export function mayReadInternalNotes({ actor, scopes, role }: Principal): boolean {
  return actor.type === "api_key"
    ? scopes.includes("write:crm")
    : roles.indexOf(role) >= roles.indexOf("editor");
}
