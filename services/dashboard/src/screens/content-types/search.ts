import { flagOf, given } from "../../format/search-values.ts";

/** The form for a new type is empty, or filled with a suggestion. */
export function contentTypesSearch({ add }: Record<string, unknown>) {
  return given({ add: add === "empty" || add === "article" ? add : undefined });
}

export function contentTypeSearch({ edit }: Record<string, unknown>) {
  return given({ edit: flagOf(edit) });
}
