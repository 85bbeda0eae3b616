// The methods of @tradepost/client. A test fails if an operation is missing.

/** The ids of operations by resource. A method has the id's first word as its name, or what is before the colon. */
const OPERATIONS: Readonly<Record<string, string>> = {
  orders: `placeOrder importOrders listOrders getOrder updateOrder recordPayment:recordPayment fulfillOrder
    updateShipment:updateShipment deliverOrder cancelOrder refundOrder payments:listPayments
    timeline:getOrderTimeline events:listOrderEvents statistics:getOrderStatistics exportOrders`,
  customers: `createCustomer listCustomers getCustomer updateCustomer putByExternalId:putCustomerByExternalId
    events:listCustomerEvents exportCustomers eraseCustomer`,
  erasures: "getErasure",
  entries: `createEntry listEntries getEntry updateEntry deleteEntry publishEntry unpublishEntry scheduleEntry
    unscheduleEntry exportEntries revisions:listRevisions restoreRevision`,
  contentTypes: "putContentType listContentTypes getContentType",
  content: "events:listContentEvents",
  media: `uploadMedia listMedia getMedia updateMedia deleteMedia read:getMediaFile link:createMediaLink
    endLinks:endMediaLinks readLinked:getLinkedFile`,
  redirects: `createRedirect createMany:createRedirects listRedirects exportRedirects getRedirect deleteRedirect
    resolveRedirect`,
  subscriptions: `createSubscription listSubscriptions getSubscription updateSubscription deleteSubscription
    rotateSecret:rotateSubscriptionSecret test:sendTestDelivery retryWaiting:retryWaitingDeliveries
    recoverDeliveries recovery:getRecovery previewFilter:previewFilter startReplay:startReplay
    replays:listReplays`,
  replays: "getReplay cancelReplay",
  ledger: "getLedger deliveries:listLedgerDeliveries",
  webhookStatistics: "getWebhookStatistics",
  deliveries: "listDeliveries getDelivery redeliver",
  webhookEvents: "listWebhookEvents getWebhookEvent types:listEventTypes",
  listeners: `createListener listListeners getListener deleteListener leaseDeliveries reportResult
    redeliverToListener`,
  notices: `listNotices acknowledgeNotice destination:getNoticeDestination setDestination:putNoticeDestination
    deleteDestination:deleteNoticeDestination`,
  me: `getMe changePassword:changeMyPassword sessions:listMySessions endSession:endMySession
    setUpSecondFactor:setUpSecondFactor confirmSecondFactor:confirmSecondFactor
    removeSecondFactor:removeSecondFactor unlinkIdentity:unlinkMyIdentity`,
  auth: `login finishSignIn:finishSignIn refreshToken logout setUpPassword:setUpPassword
    methods:getSignInMethods`,
  apiKeys: `createApiKey listApiKeys getApiKey updateApiKey rotateApiKey revokeApiKey revokeHeld:revokeHeldKey`,
  users: `createUser listUsers updateUser deleteUser createSetupLink:createSetupLink sessions:listUserSessions
    endSessions:endUserSessions resetSecondFactor:resetSecondFactor`,
  security: "getSecurity setSecurity",
  modules: "listModules setModule",
  shop: "getShop updateShop",
  auditLog: "listAuditLog exportAuditLog head:getAuditLogHead",
  requests: "listRequests getRequest",
  usage: "getUsage",
  description: "getApiDescription",
};

export const METHODS: Readonly<Record<string, Readonly<Record<string, string>>>> = Object.fromEntries(
  Object.entries(OPERATIONS).map(([resource, listed]) => [
    resource,
    Object.fromEntries(listed.split(/\s+/).map(methodOf)),
  ]),
);

function methodOf(listed: string): [name: string, id: string] {
  const [id = "", name = /^[a-z]+/.exec(id)?.[0] ?? ""] = listed.split(":").reverse();
  return [name, id];
}
