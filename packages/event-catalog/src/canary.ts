// The canary's tenant. The content service commits an event of it at an interval, and the webhooks service delivers it to
// itself, which shows that events pass through the whole platform.

/**
 * The id of no tenant: the gateway makes ids of version 7, and this one has version 8. Its last six bytes read "canary".
 * A consumer of the whole exchange recognises by it the events that belong to no tenant.
 */
export const CANARY_TENANT_ID = "00000000-0000-8000-8000-63616e617279";
