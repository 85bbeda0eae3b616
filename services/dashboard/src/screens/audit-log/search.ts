// The search parameters of the screens. Pure.

// biome-ignore lint/complexity/noBannedTypes: grows
export type AuditLogSearch = {};

export function auditLogSearch(_search: Record<string, unknown>): AuditLogSearch {
  return {};
}
