// The search parameters of the screen. Pure.

export interface AiIntegrationsSearch {
  /** The form for a new key is open. */
  readonly create?: true;
  /** Lists also keys that no longer work. */
  readonly all?: true;
}

export function aiIntegrationsSearch(search: Record<string, unknown>): AiIntegrationsSearch {
  return { ...(search.create === true && { create: true }), ...(search.all === true && { all: true }) };
}
