// The methods of @tradepost/client: resource, method, and the id of its operation in the API description. A test fails if an
// operation is missing here.

/** By resource, in the order in which the client's documentation shows them. */
export const METHODS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  orders: {
    place: "placeOrder",
    import: "importOrders",
    list: "listOrders",
    get: "getOrder",
    update: "updateOrder",
    pay: "recordPayment",
    fulfill: "fulfillOrder",
    deliver: "deliverOrder",
    cancel: "cancelOrder",
    refund: "refundOrder",
    payments: "listPayments",
    timeline: "getOrderTimeline",
    events: "listOrderEvents",
  },
};
