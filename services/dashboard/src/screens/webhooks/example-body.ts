// The body that a receiver gets, with an example's data. Pure.

const DELIVERY_ID = "0198c5b3-2f4b-7a10-9d3c-1f2e3d4c5b6a";
const DELIVERED_AT = "2026-08-20T09:30:00.250Z";

export function exampleBody(type: string, data: object, tenantId: string): string {
  const body = { id: DELIVERY_ID, type, tenant_id: tenantId, data, delivered_at: DELIVERED_AT };
  return JSON.stringify(body, null, 2);
}
