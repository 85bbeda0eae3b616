// The search parameters of the screen. Pure.

export interface AiIntegrationsSearch {
  readonly create?: true;
  readonly all?: true;
}

export function aiIntegrationsSearch(search: Record<string, unknown>): AiIntegrationsSearch {
  return { ...(search.create === true && { create: true }), ...(search.all === true && { all: true }) };
}
