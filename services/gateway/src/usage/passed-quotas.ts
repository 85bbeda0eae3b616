// The quotas that a tenant has used up, as SQL for the lookups behind every request.

/**
 * Returns an SQL expression for the names of the quotas that a tenant has used up. `tenantId` is an SQL expression; the others are the
 * parameters with the quotas of tenants without their own, where 0 is no quota.
 */
export function passedQuotas(tenantId: string, mediaBytesMax: string, eventBytesMax: string): string {
  return `array(
    select quota
      from tenants,
           (select sum(media_bytes) as media_bytes, sum(event_bytes) as event_bytes
              from tenant_usage where tenant_usage.tenant_id = ${tenantId}) as used,
           lateral (values ('mediaBytes', used.media_bytes, coalesce(media_bytes_max, ${mediaBytesMax}::bigint)),
                           ('eventBytes', used.event_bytes, coalesce(event_bytes_max, ${eventBytesMax}::bigint)))
                as quotas (quota, bytes, max)
     where tenants.id = ${tenantId} and max > 0 and bytes >= max)`;
}
