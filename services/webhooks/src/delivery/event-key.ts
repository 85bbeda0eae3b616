/** The tenant is part of the key: event ids come from outside this service, and two tenants may have the same one. */
export function eventKey(tenantId: string, eventId: string): string {
  return `${tenantId}.${eventId}`.toLowerCase();
}
