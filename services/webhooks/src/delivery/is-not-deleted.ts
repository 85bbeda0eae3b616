/**
 * The SQL condition that the operator has not deleted the tenant in this column. Events and attempts that were in progress
 * during the deletion are not stored.
 */
export function isNotDeleted(tenantIdColumn: string): string {
  return `not exists (select from deleted_tenants where tenant_digest = sha256(uuid_send(${tenantIdColumn})))`;
}
