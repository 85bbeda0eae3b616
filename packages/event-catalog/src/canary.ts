// Whose events the canary's are: what goes through the whole platform every so often, only to show that it gets through.
// The content service commits them, the webhooks service delivers them to itself; what stands between is everybody's.

/**
 * Carried by no tenant: tenants' ids are made by the gateway, of version 7, and this is of version 8. Its last six bytes
 * read "canary". Whoever hears the exchange as a whole knows by it what tells of no tenant's deed.
 */
export const CANARY_TENANT_ID = "00000000-0000-8000-8000-63616e617279";
