// The canary is an event that the platform sends to itself at regular intervals to check the whole path: the content service
// commits it, and the webhooks service delivers it to itself.

/**
 * The tenant id of canary events. No tenant has this id: it is a UUID of version 8, and tenant ids have version 7. Its last six
 * bytes spell "canary" in ASCII. Services that consume all events recognise canaries by it.
 */
export const CANARY_TENANT_ID = "00000000-0000-8000-8000-63616e617279";
