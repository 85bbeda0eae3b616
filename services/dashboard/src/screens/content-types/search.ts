// The search parameters of the screens: which form is open. Pure.

export interface ContentTypesSearch {
  /** Set while the form for a new type is open: empty, or filled with a suggestion. */
  readonly add?: "empty" | "article";
}

export function contentTypesSearch({ add }: Record<string, unknown>): ContentTypesSearch {
  return add === "empty" || add === "article" ? { add } : {};
}

export interface ContentTypeSearch {
  readonly edit?: true;
}

export function contentTypeSearch({ edit }: Record<string, unknown>): ContentTypeSearch {
  return edit === true ? { edit } : {};
}
