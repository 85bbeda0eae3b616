// Generated from docs/openapi.json by `npm run tool -- docs`. Do not edit.
import type { CallOptions, WithIfMatch, WithKey } from "../call-options.ts";
import type { BodyOf, DataOf, ItemOf, QueryOf } from "../operation-types.ts";
import type { Feed } from "../pages/feed.ts";
import type { List } from "../pages/list.ts";

/** The operations of the platform, by resource. */
export interface Resources {
  readonly orders: OrdersResource;
  readonly customers: CustomersResource;
  readonly erasures: ErasuresResource;
  readonly entries: EntriesResource;
  readonly contentTypes: ContentTypesResource;
  readonly content: ContentResource;
  readonly media: MediaResource;
  readonly redirects: RedirectsResource;
  readonly subscriptions: SubscriptionsResource;
  readonly replays: ReplaysResource;
  readonly ledger: LedgerResource;
  readonly webhookStatistics: WebhookStatisticsResource;
  readonly deliveries: DeliveriesResource;
  readonly webhookEvents: WebhookEventsResource;
  readonly listeners: ListenersResource;
  readonly notices: NoticesResource;
  readonly me: MeResource;
  readonly auth: AuthResource;
  readonly apiKeys: ApiKeysResource;
  readonly users: UsersResource;
  readonly security: SecurityResource;
  readonly modules: ModulesResource;
  readonly shop: ShopResource;
  readonly auditLog: AuditLogResource;
  readonly requests: RequestsResource;
  readonly usage: UsageResource;
  readonly description: DescriptionResource;
}

export interface OrdersResource {
  /**
   * Place an order: `POST /v1/orders`.
   * The order, its number and its event are written together or not at all. The platform computes the totals; amounts have at most
   * as many decimals as the currency, and `unitPrice` has at most 4. A customer that the tenant does not have is 404; the one of the
   * example is another shop's, so put in an id of `/v1/customers`.
   *
   * `externalId` is the channel's own id of the order. A second order of the channel with the same one is 409 `order_exists`, for as
   * long as the first one exists.
   *
   * Needs the role `editor` or a higher one, for an API key the scope `write:crm` and the module `crm`.
   */
  place(body: BodyOf<"placeOrder">, options?: CallOptions & WithKey): Promise<DataOf<"placeOrder">>;
  /**
   * Import up to 100 orders: `POST /v1/orders/bulk`.
   * Each order succeeds or fails by itself, so the response is 200 also if every one of them has failed. The results are in the order of
   * the request. An order at fault has the error that `POST /v1/orders` would respond with. Imports of one tenant follow one another; too many
   * that wait are 429, or 503 if other tenants' imports take every slot.
   *
   * With `dryRun=true` the response is the one that the import would get now, and nothing is kept: ids and numbers in it are of no order.
   *
   * Needs the role `editor` or a higher one, for an API key the scope `write:crm_bulk` and the module `crm`.
   */
  import(body: BodyOf<"importOrders">, options?: CallOptions & WithKey): Promise<DataOf<"importOrders">>;
  /**
   * List orders: `GET /v1/orders`.
   * The newest come first, by `createdAt` or, with `sort=placedAt`, by `placedAt`. Several filters together select the orders that match all of them.
   *
   * Use the change feed to find new or changed orders: an order that is committed late has an earlier time than others that the list has shown
   * already.
   *
   * Needs the role `viewer` or a higher one, for an API key the scope `read:crm` and the module `crm`.
   */
  list(query?: QueryOf<"listOrders">, options?: CallOptions): List<ItemOf<"listOrders">>;
  /**
   * Get an order: `GET /v1/orders/{id}`.
   * Needs the role `viewer` or a higher one, for an API key the scope `read:crm` and the module `crm`.
   */
  get(id: string, options?: CallOptions): Promise<DataOf<"getOrder">>;
  /**
   * Change the notes, metadata, addresses or parcel of an order: `PATCH /v1/orders/{id}`.
   * `null` removes a value; a field that is absent stays as it is. Addresses can change only while the order is placed, `trackingNumber` and
   * `carrier`, of the latest shipment, only once something is shipped. The change is in the timeline, and in the change feed as `order.updated`; no exchange carries
   * it. A change that changes nothing leaves the version as it is.
   *
   * Needs the role `editor` or a higher one, for an API key the scope `write:crm` and the module `crm`.
   */
  update(id: string, body: BodyOf<"updateOrder">, options?: CallOptions & WithIfMatch): Promise<DataOf<"updateOrder">>;
  /**
   * Record a payment of an order: `POST /v1/orders/{id}/payments`.
   * Reports that a payment succeeded or failed; the platform does not move money. `amount` is the amount due by default, and at most
   * that. After a part the order is `partially_paid`, and the change is listed as `order.updated` until nothing is due. A failed payment never
   * changes a paid or partially paid order. After a refund an order takes no payment.
   *
   * `reference` names the payment in the system that made it. A payment with the reference, status and amount of an earlier one changes
   * nothing and is 200; another amount is 409 `reference_reused`.
   *
   * Needs the role `editor` or a higher one, for an API key the scope `write:crm` and the module `crm`.
   */
  recordPayment(id: string, body: BodyOf<"recordPayment">, options?: CallOptions & WithKey & WithIfMatch): Promise<DataOf<"recordPayment">>;
  /**
   * Ship an order, or a part of it: `POST /v1/orders/{id}/fulfill`.
   * The order must be placed and not refunded. It need not be paid. `lines` are what the shipment has; without them it has all that is still
   * to ship. The order stays placed, and the change is listed as `order.updated`, until the last unit is shipped. An order has at most 50 shipments,
   * the last of which must have all that is left.
   *
   * Needs the role `editor` or a higher one, for an API key the scope `write:crm` and the module `crm`.
   */
  fulfill(id: string, body?: BodyOf<"fulfillOrder">, options?: CallOptions & WithKey & WithIfMatch): Promise<DataOf<"fulfillOrder">>;
  /**
   * Change the parcel of a shipment: `PATCH /v1/orders/{id}/shipments/{shipmentId}`.
   * `null` removes a value. The order shows the parcel of its latest shipment. The change is in the timeline, and in the change feed as `order.updated`.
   *
   * Needs the role `editor` or a higher one, for an API key the scope `write:crm` and the module `crm`.
   */
  updateShipment(id: string, shipmentId: string, body: BodyOf<"updateShipment">, options?: CallOptions & WithIfMatch): Promise<DataOf<"updateShipment">>;
  /**
   * Mark shipments of an order as delivered: `POST /v1/orders/{id}/deliver`.
   * Of one shipment, or of all that are shipped. The order is delivered once everything is shipped and delivered; until then the change is
   * listed as `order.updated`. A `shipmentId` that is delivered changes nothing and is 200.
   *
   * Needs the role `editor` or a higher one, for an API key the scope `write:crm` and the module `crm`.
   */
  deliver(id: string, body?: BodyOf<"deliverOrder">, options?: CallOptions & WithKey & WithIfMatch): Promise<DataOf<"deliverOrder">>;
  /**
   * Cancel an order: `POST /v1/orders/{id}/cancel`.
   * The order must be placed, and nothing shipped. If it holds money, it must be refunded first, or with `"refund": true` in the same
   * transaction: 409 `refund_required`. With a `reason`, an order of an erased customer is 409 `customer_erased`.
   *
   * Needs the role `editor` or a higher one, for an API key the scope `write:crm` and the module `crm`.
   */
  cancel(id: string, body?: BodyOf<"cancelOrder">, options?: CallOptions & WithKey & WithIfMatch): Promise<DataOf<"cancelOrder">>;
  /**
   * Refund an order, or a part of it: `POST /v1/orders/{id}/refund`.
   * Reports a refund of what was paid; the platform does not move money. `amount` is all that is left by default. With `lines` it is by
   * default what their units cost with tax, rounded half up once, at most what is left; discounts of the order are not shared out. Several
   * refunds may follow one another until nothing is left.
   *
   * A refund with the `reference`, amount and lines of an earlier one changes nothing and is 200; another amount or other lines are 409
   * `reference_reused`. With a `reason`, an order of an erased customer is 409 `customer_erased`.
   *
   * Needs the role `editor` or a higher one, for an API key the scope `write:crm` and the module `crm`.
   */
  refund(id: string, body?: BodyOf<"refundOrder">, options?: CallOptions & WithKey & WithIfMatch): Promise<DataOf<"refundOrder">>;
  /**
   * List the payments and refunds of an order: `GET /v1/orders/{id}/payments`.
   * The newest come first.
   *
   * Needs the role `viewer` or a higher one, for an API key the scope `read:crm` and the module `crm`.
   */
  payments(id: string, query?: QueryOf<"listPayments">, options?: CallOptions): List<ItemOf<"listPayments">>;
  /**
   * Get the timeline of an order: `GET /v1/orders/{id}/timeline`.
   * Every change of the order, the newest first.
   *
   * Needs the role `viewer` or a higher one, for an API key the scope `read:crm` and the module `crm`.
   */
  timeline(id: string, query?: QueryOf<"getOrderTimeline">, options?: CallOptions): List<ItemOf<"getOrderTimeline">>;
  /**
   * Read the change feed of orders: `GET /v1/orders/events`.
   * The events of the tenant's orders in the order of their commits, for as long as they are kept (30 days by default). A client that
   * goes on with `nextCursor` misses none. A cursor older than the events that are kept is 410.
   *
   * Needs the role `viewer` or a higher one, for an API key the scope `read:crm` and the module `crm`.
   */
  events(query?: QueryOf<"listOrderEvents">, options?: CallOptions): Feed<ItemOf<"listOrderEvents">>;
  /**
   * Get the figures of orders: `GET /v1/orders/statistics`.
   * How many orders were placed in each day, week or month, by their `placedAt`, and their amounts as they are now, for each currency. The figures are exact: they
   * change in the transaction that changes an order. Cancelled orders count nowhere. A bucket without orders is there too; a currency
   * without orders between `from` and `to` is not. More than 400 buckets are 422.
   *
   * Needs the role `viewer` or a higher one, for an API key the scope `read:crm` and the module `crm`.
   */
  statistics(query: QueryOf<"getOrderStatistics">, options?: CallOptions): Promise<DataOf<"getOrderStatistics">>;
  /**
   * Export orders: `GET /v1/orders/export`.
   * All orders that match the filters, the oldest first, in one response that is as fast as its reader. CSV has a line for each order line;
   * NDJSON has an order on each line, as the list shows it. If the response breaks off, `after` with the id of the last complete order goes on
   * after it. In CSV, a text that a spreadsheet could take for a formula gets a `'` before it. Each export is in the audit log.
   *
   * Needs the role `viewer` or a higher one, for an API key the scope `read:crm` and the module `crm`.
   */
  export(query?: QueryOf<"exportOrders">, options?: CallOptions): Promise<DataOf<"exportOrders">>;
}

export interface CustomersResource {
  /**
   * Create a customer: `POST /v1/customers`.
   * Needs the role `editor` or a higher one, for an API key the scope `write:crm` and the module `crm`.
   */
  create(body: BodyOf<"createCustomer">, options?: CallOptions & WithKey): Promise<DataOf<"createCustomer">>;
  /**
   * List customers: `GET /v1/customers`.
   * The newest come first. Customers match all filters.
   *
   * Needs the role `viewer` or a higher one, for an API key the scope `read:crm` and the module `crm`.
   */
  list(query?: QueryOf<"listCustomers">, options?: CallOptions): List<ItemOf<"listCustomers">>;
  /**
   * Get a customer: `GET /v1/customers/{id}`.
   * Needs the role `viewer` or a higher one, for an API key the scope `read:crm` and the module `crm`.
   */
  get(id: string, options?: CallOptions): Promise<DataOf<"getCustomer">>;
  /**
   * Change a customer: `PATCH /v1/customers/{id}`.
   * `null` removes a value. A change that changes nothing leaves the version.
   *
   * Needs the role `editor` or a higher one, for an API key the scope `write:crm` and the module `crm`.
   */
  update(id: string, body: BodyOf<"updateCustomer">, options?: CallOptions & WithIfMatch): Promise<DataOf<"updateCustomer">>;
  /**
   * Create or replace a customer by its external id: `PUT /v1/customers/by-external-id/{externalId}`.
   * Creates the customer (201), or gives the one that has the external id the values of the body (200): a field that is left out or
   * `null` has no value afterwards. With `If-Match`, a request that would create a customer is 412.
   *
   * Needs the role `editor` or a higher one, for an API key the scope `write:crm` and the module `crm`.
   */
  putByExternalId(externalId: string, body: BodyOf<"putCustomerByExternalId">, options?: CallOptions & WithIfMatch): Promise<DataOf<"putCustomerByExternalId">>;
  /**
   * Read the change feed of customers: `GET /v1/customers/events`.
   * Every creation and change of the tenant's customers, in the order of their commits, for as long as events are kept (30 days by
   * default). A client that goes on with `nextCursor` misses none. A cursor older than the events that are kept is 410. No exchange
   * and no webhook carries these events.
   *
   * Needs the role `viewer` or a higher one, for an API key the scope `read:crm` and the module `crm`.
   */
  events(query?: QueryOf<"listCustomerEvents">, options?: CallOptions): Feed<ItemOf<"listCustomerEvents">>;
  /**
   * Export customers: `GET /v1/customers/export`.
   * Oldest first, as `GET /v1/orders/export` exports orders.
   *
   * Needs the role `viewer` or a higher one, for an API key the scope `read:crm` and the module `crm`.
   */
  export(query?: QueryOf<"exportCustomers">, options?: CallOptions): Promise<DataOf<"exportCustomers">>;
  /**
   * Erase the personal data of a customer: `POST /v1/customers/{id}/erasure`.
   * For good. The customer's name is replaced, and the e-mail address, phone, external id and metadata are removed; of all their orders the
   * addresses (but for the country), notes, metadata and reasons, also in timelines, change feeds and recorded responses. Amounts, lines,
   * references and dates stay. It runs in the background. Later changes of the customer, of texts of their orders, and new orders are 409
   * `customer_erased`. A second request responds with the first erasure.
   *
   * Needs a dashboard token, the role `admin` or a higher one and the module `crm`.
   */
  erase(id: string, options?: CallOptions & WithKey & WithIfMatch): Promise<DataOf<"eraseCustomer">>;
}

export interface ErasuresResource {
  /**
   * Get the progress of an erasure: `GET /v1/erasures/{id}`.
   * Needs the role `viewer` or a higher one, for an API key the scope `read:crm` and the module `crm`.
   */
  get(id: string, options?: CallOptions): Promise<DataOf<"getErasure">>;
}

export interface EntriesResource {
  /**
   * Create an entry as a draft: `POST /v1/entries`.
   * `data` may hold only fields of the content type, each with a value of its type; a draft may lack required ones. If `slug` is left out, it is made from the first text field. `conflict`: another entry of this type and locale has the slug.
   *
   * Needs the role `editor` or a higher one, for an API key the scope `write:content` and the module `content`.
   */
  create(body: BodyOf<"createEntry">, options?: CallOptions & WithKey): Promise<DataOf<"createEntry">>;
  /**
   * List entries, newest first: `GET /v1/entries`.
   * The latest revision of each or, with `version=published`, live entries as they are live.
   *
   * Needs the role `viewer` or a higher one, for an API key the scope `read:content` and the module `content`.
   */
  list(query?: QueryOf<"listEntries">, options?: CallOptions): List<ItemOf<"listEntries">>;
  /**
   * Get an entry: `GET /v1/entries/{id}`.
   * Needs the role `viewer` or a higher one, for an API key the scope `read:content` and the module `content`.
   */
  get(id: string, query?: QueryOf<"getEntry">, options?: CallOptions): Promise<DataOf<"getEntry">>;
  /**
   * Change an entry's draft: `PATCH /v1/entries/{id}`.
   * `data` is merged: a field that is named changes, and `null` removes it. Adds a revision if anything changes, and never publishes it. `conflict`: another entry of this type and locale has the slug.
   *
   * Needs the role `editor` or a higher one, for an API key the scope `write:content` and the module `content`.
   */
  update(id: string, body: BodyOf<"updateEntry">, options?: CallOptions & WithIfMatch): Promise<DataOf<"updateEntry">>;
  /**
   * Delete an entry with its revisions: `DELETE /v1/entries/{id}`.
   * A live entry is unpublished first.
   *
   * Needs the role `editor` or a higher one, for an API key the scope `write:content` and the module `content`.
   */
  delete(id: string, options?: CallOptions & WithIfMatch): Promise<DataOf<"deleteEntry">>;
  /**
   * Publish the latest revision: `POST /v1/entries/{id}/publish`.
   * Any schedule ends. 422 names every required field that is missing, and every media asset and entry that does not exist, at `data.<key>`. When the path of a live entry changes, a redirect from the old path is added, and redirects that led there are changed. A revision that is live already changes nothing.
   *
   * Needs the role `editor` or a higher one, for an API key the scope `write:content` and the module `content`.
   */
  publish(id: string, options?: CallOptions & WithKey & WithIfMatch): Promise<DataOf<"publishEntry">>;
  /**
   * Take a live entry down: `POST /v1/entries/{id}/unpublish`.
   * It is a draft again, and any schedule ends. `invalid_transition`: it is not live.
   *
   * Needs the role `editor` or a higher one, for an API key the scope `write:content` and the module `content`.
   */
  unpublish(id: string, options?: CallOptions & WithKey & WithIfMatch): Promise<DataOf<"unpublishEntry">>;
  /**
   * Publish the latest revision at a later time: `POST /v1/entries/{id}/schedule`.
   * The revision that is the latest now goes live then, whatever is written until then, within 2 s of its time. It must be valid for publication now. `invalid_transition`: it is live already.
   *
   * Needs the role `editor` or a higher one, for an API key the scope `write:content` and the module `content`.
   */
  schedule(id: string, body: BodyOf<"scheduleEntry">, options?: CallOptions & WithKey & WithIfMatch): Promise<DataOf<"scheduleEntry">>;
  /**
   * Cancel an entry's schedule: `DELETE /v1/entries/{id}/schedule`.
   * A live revision stays live. `invalid_transition`: nothing is scheduled.
   *
   * Needs the role `editor` or a higher one, for an API key the scope `write:content` and the module `content`.
   */
  unschedule(id: string, options?: CallOptions & WithIfMatch): Promise<DataOf<"unscheduleEntry">>;
  /**
   * Export entries: `GET /v1/entries/export`.
   * Oldest first, as `GET /v1/orders/export` does. In CSV, `data` is its JSON text.
   *
   * Needs the role `viewer` or a higher one, for an API key the scope `read:content` and the module `content`.
   */
  export(query?: QueryOf<"exportEntries">, options?: CallOptions): Promise<DataOf<"exportEntries">>;
  /**
   * List the revisions of an entry, newest first: `GET /v1/entries/{id}/revisions`.
   * Needs the role `viewer` or a higher one, for an API key the scope `read:content` and the module `content`.
   */
  revisions(id: string, query?: QueryOf<"listRevisions">, options?: CallOptions): List<ItemOf<"listRevisions">>;
  /**
   * Restore an old revision: `POST /v1/entries/{id}/revisions/{n}/restore`.
   * Its slug and data become a new revision; it is not published. `conflict`: its content type no longer allows them, or another entry has the slug.
   *
   * Needs the role `editor` or a higher one, for an API key the scope `write:content` and the module `content`.
   */
  restore(id: string, n: number, options?: CallOptions & WithKey & WithIfMatch): Promise<DataOf<"restoreRevision">>;
}

export interface ContentTypesResource {
  /**
   * Create a content type or change its fields: `PUT /v1/content-types/{slug}`.
   * 201 if the slug is new. A change that would make an existing entry invalid is refused. A PUT that changes nothing leaves the version and emits no event. With `If-Match` it only changes a type: if there is none with this slug, it is 412.
   *
   * Needs a dashboard token, the role `admin` or a higher one and the module `content`.
   */
  put(slug: string, body: BodyOf<"putContentType">, options?: CallOptions & WithIfMatch): Promise<DataOf<"putContentType">>;
  /**
   * List content types, newest first: `GET /v1/content-types`.
   * Needs the role `viewer` or a higher one, for an API key the scope `read:content` and the module `content`.
   */
  list(query?: QueryOf<"listContentTypes">, options?: CallOptions): List<ItemOf<"listContentTypes">>;
  /**
   * Get a content type: `GET /v1/content-types/{slug}`.
   * Needs the role `viewer` or a higher one, for an API key the scope `read:content` and the module `content`.
   */
  get(slug: string, options?: CallOptions): Promise<DataOf<"getContentType">>;
}

export interface ContentResource {
  /**
   * Read the change feed of content: `GET /v1/content/events`.
   * Lists every event of entries, content types, media and redirects, in an order in which a reader misses nothing. An event may be read again. Events are kept for 30 days unless the operator has set another time; an older cursor is 410 `cursor_expired`.
   *
   * Needs the role `viewer` or a higher one, for an API key the scope `read:content` and the module `content`.
   */
  events(query?: QueryOf<"listContentEvents">, options?: CallOptions): Feed<ItemOf<"listContentEvents">>;
}

export interface MediaResource {
  /**
   * Upload a file: `POST /v1/media`.
   * The file's bytes decide the media type, not its name. A JPEG, PNG, APNG, WebP, GIF, AVIF or TIFF image gets three smaller WebP variants. When they are made, its `status` is `ready`, and `media.processed` is emitted. An image that cannot be read gets the status `failed`, without an event.
   *
   * Needs the role `editor` or a higher one, for an API key the scope `write:content` and the module `content`.
   */
  upload(file: File, options?: CallOptions): Promise<DataOf<"uploadMedia">>;
  /**
   * List media assets, newest first: `GET /v1/media`.
   * Needs the role `viewer` or a higher one, for an API key the scope `read:content` and the module `content`.
   */
  list(query?: QueryOf<"listMedia">, options?: CallOptions): List<ItemOf<"listMedia">>;
  /**
   * Get a media asset: `GET /v1/media/{id}`.
   * Without its bytes, which `getMediaFile` has.
   *
   * Needs the role `viewer` or a higher one, for an API key the scope `read:content` and the module `content`.
   */
  get(id: string, options?: CallOptions): Promise<DataOf<"getMedia">>;
  /**
   * Change the alternative text of a media asset: `PATCH /v1/media/{id}`.
   * The change is in the change feed as `media.updated`; no exchange carries it.
   *
   * Needs the role `editor` or a higher one, for an API key the scope `write:content` and the module `content`.
   */
  update(id: string, body: BodyOf<"updateMedia">, options?: CallOptions): Promise<DataOf<"updateMedia">>;
  /**
   * Delete a media asset with its files: `DELETE /v1/media/{id}`.
   * Needs the role `editor` or a higher one, for an API key the scope `write:content` and the module `content`.
   */
  delete(id: string, options?: CallOptions): Promise<DataOf<"deleteMedia">>;
  /**
   * Download a file or one of its variants: `GET /v1/media/{id}/file`.
   * The file never changes. 404 also while an image's variants are not made yet.
   *
   * Needs the role `viewer` or a higher one, for an API key the scope `read:content` and the module `content`.
   */
  read(id: string, query?: QueryOf<"getMediaFile">, options?: CallOptions): Promise<DataOf<"getMediaFile">>;
  /**
   * Make a signed link to a file: `POST /v1/media/{id}/links`.
   * Whoever has the link can read the file without a credential until it expires, as an `<img src>` does. `endMediaLinks` ends all links of a file.
   *
   * Needs the role `editor` or a higher one, for an API key the scope `read:content` and the module `content`.
   */
  link(id: string, body?: BodyOf<"createMediaLink">, options?: CallOptions & WithKey): Promise<DataOf<"createMediaLink">>;
  /**
   * End all links to a file: `DELETE /v1/media/{id}/links`.
   * They are 404 from then on. Links that are made later work.
   *
   * Needs the role `editor` or a higher one, for an API key the scope `write:content` and the module `content`.
   */
  endLinks(id: string, options?: CallOptions): Promise<DataOf<"endMediaLinks">>;
  /**
   * Download the file of a signed link: `GET /v1/media/{id}/links/file`.
   * For everyone who has the link that `createMediaLink` made. 404 once it has expired or was ended, or if a character of it has changed.
   *
   * Needs no authentication.
   */
  readLinked(id: string, query?: QueryOf<"getLinkedFile">, options?: CallOptions): Promise<DataOf<"getLinkedFile">>;
}

export interface RedirectsResource {
  /**
   * Create a redirect: `POST /v1/redirects`.
   * A redirect that leads back to its own path, directly or through others, is refused, and so is one that leads over more than 1,000 others. Each path has one redirect.
   *
   * Needs the role `editor` or a higher one, for an API key the scope `write:content` and the module `content`.
   */
  create(body: BodyOf<"createRedirect">, options?: CallOptions & WithKey): Promise<DataOf<"createRedirect">>;
  /**
   * Create up to 100 redirects: `POST /v1/redirects/bulk`.
   * Each redirect succeeds or fails by itself, so the response is 200 also if every one of them has failed. The results are in the order of the request. A redirect at fault has the error that `POST /v1/redirects` would respond with; earlier ones of the request count for later ones.
   *
   * Needs the role `editor` or a higher one, for an API key the scope `write:content` and the module `content`.
   */
  createMany(body: BodyOf<"createRedirects">, options?: CallOptions & WithKey): Promise<DataOf<"createRedirects">>;
  /**
   * List redirects, newest first: `GET /v1/redirects`.
   * Needs the role `viewer` or a higher one, for an API key the scope `read:content` and the module `content`.
   */
  list(query?: QueryOf<"listRedirects">, options?: CallOptions): List<ItemOf<"listRedirects">>;
  /**
   * Export redirects: `GET /v1/redirects/export`.
   * All redirects, the oldest first, as `GET /v1/orders/export` exports orders.
   *
   * Needs the role `viewer` or a higher one, for an API key the scope `read:content` and the module `content`.
   */
  export(query?: QueryOf<"exportRedirects">, options?: CallOptions): Promise<DataOf<"exportRedirects">>;
  /**
   * Get a redirect: `GET /v1/redirects/{id}`.
   * Needs the role `viewer` or a higher one, for an API key the scope `read:content` and the module `content`.
   */
  get(id: string, options?: CallOptions): Promise<DataOf<"getRedirect">>;
  /**
   * Delete a redirect: `DELETE /v1/redirects/{id}`.
   * Needs the role `editor` or a higher one, for an API key the scope `write:content` and the module `content`.
   */
  delete(id: string, options?: CallOptions & WithIfMatch): Promise<DataOf<"deleteRedirect">>;
  /**
   * Find the redirect from a path: `GET /v1/redirects/resolve`.
   * One lookup, for the server of the site. It does not follow a chain of redirects.
   *
   * Needs the role `viewer` or a higher one, for an API key the scope `read:content` and the module `content`.
   */
  resolve(query: QueryOf<"resolveRedirect">, options?: CallOptions): Promise<DataOf<"resolveRedirect">>;
}

export interface SubscriptionsResource {
  /**
   * Create a subscription: `POST /v1/webhooks/subscriptions`.
   * Only this response has the signing secret. A tenant has at most 50 subscriptions.
   *
   * Needs a dashboard token and the role `admin` or a higher one.
   */
  create(body: BodyOf<"createSubscription">, options?: CallOptions & WithKey): Promise<DataOf<"createSubscription">>;
  /**
   * List subscriptions, newest first: `GET /v1/webhooks/subscriptions`.
   * Needs the role `viewer` or a higher one, for an API key the scope `read:content` and the module `content`.
   */
  list(query?: QueryOf<"listSubscriptions">, options?: CallOptions): List<ItemOf<"listSubscriptions">>;
  /**
   * Get a subscription: `GET /v1/webhooks/subscriptions/{id}`.
   * `If-None-Match` is ignored, because `health` changes without the version.
   *
   * Needs the role `viewer` or a higher one, for an API key the scope `read:content` and the module `content`.
   */
  get(id: string, options?: CallOptions): Promise<DataOf<"getSubscription">>;
  /**
   * Change, pause or resume a subscription: `PATCH /v1/webhooks/subscriptions/{id}`.
   * `active: false` pauses it: nothing is sent, and open and new deliveries are kept. `active: true` sends them, oldest first. `filter` replaces the whole filter, for events from now on; null removes it. `headers` replaces the whole set; a value of `•••` keeps the value that the header has, and null removes all. A JSON merge patch changes the members of both that it names. If `url` changes its scheme, host or port, the values must be sent again, or it is 422.
   *
   * Needs a dashboard token and the role `admin` or a higher one.
   */
  update(id: string, body: BodyOf<"updateSubscription">, options?: CallOptions & WithIfMatch): Promise<DataOf<"updateSubscription">>;
  /**
   * Delete a subscription: `DELETE /v1/webhooks/subscriptions/{id}`.
   * Its open deliveries are cancelled; their log stays.
   *
   * Needs a dashboard token and the role `admin` or a higher one.
   */
  delete(id: string, options?: CallOptions & WithIfMatch): Promise<DataOf<"deleteSubscription">>;
  /**
   * Replace the signing secret: `POST /v1/webhooks/subscriptions/{id}/rotate-secret`.
   * Deliveries are signed with the previous secret too, until `previousSecretUntil`. While an earlier secret still signs, it is 409 `rotation_in_progress`, unless `force` is true: that ends it.
   *
   * Needs a dashboard token and the role `admin` or a higher one.
   */
  rotateSecret(id: string, body?: BodyOf<"rotateSubscriptionSecret">, options?: CallOptions & WithKey & WithIfMatch): Promise<DataOf<"rotateSubscriptionSecret">>;
  /**
   * Send an example event: `POST /v1/webhooks/subscriptions/{id}/test`.
   * To this subscription only, with `data.test: true`, whatever its types.
   *
   * Needs a dashboard token and the role `admin` or a higher one.
   */
  test(id: string, body?: BodyOf<"sendTestDelivery">, options?: CallOptions & WithKey & WithIfMatch): Promise<DataOf<"sendTestDelivery">>;
  /**
   * Retry now what waits: `POST /v1/webhooks/subscriptions/{id}/retry-waiting`.
   * What waits for a retry is due now, and a hold ends. Deliveries are sent oldest first, at the endpoint's pace; their attempts are not reset.
   *
   * Needs a dashboard token and the role `admin` or a higher one.
   */
  retryWaiting(id: string, options?: CallOptions & WithKey & WithIfMatch): Promise<DataOf<"retryWaitingDeliveries">>;
  /**
   * Send failed deliveries again: `POST /v1/webhooks/subscriptions/{id}/recover`.
   * Restarts the deliveries that failed at or after `since` and before `until`, each once, after the receiver has been repaired: a replay with `include: failed`.
   *
   * Needs a dashboard token and the role `admin` or a higher one.
   */
  recover(id: string, body: BodyOf<"recoverDeliveries">, options?: CallOptions & WithKey & WithIfMatch): Promise<DataOf<"recoverDeliveries">>;
  /**
   * Get a recovery: `GET /v1/webhooks/recoveries/{id}`.
   * Needs the role `viewer` or a higher one, for an API key the scope `read:content` and the module `content`.
   */
  recovery(id: string, options?: CallOptions): Promise<DataOf<"getRecovery">>;
  /**
   * Try a filter on past events: `POST /v1/webhooks/subscriptions/filter-preview`.
   * Examines the newest 1,000 events. Those of other types than `events` do not match.
   *
   * Needs the role `viewer` or a higher one, for an API key the scope `read:content` and the module `content`.
   */
  previewFilter(body: BodyOf<"previewFilter">, options?: CallOptions & WithKey): Promise<DataOf<"previewFilter">>;
  /**
   * Replay the events of a period: `POST /v1/webhooks/subscriptions/{id}/replays`.
   * Sends failed deliveries again, makes deliveries of events that have none, or both and what was delivered, under the same delivery ids. It runs behind live traffic, and each request has `X-service-Replay`. A dry run only counts.
   *
   * Needs a dashboard token and the role `admin` or a higher one.
   */
  startReplay(id: string, body: BodyOf<"startReplay">, options?: CallOptions & WithKey & WithIfMatch): Promise<DataOf<"startReplay">>;
  /**
   * List the replays and recoveries of a subscription, newest first: `GET /v1/webhooks/subscriptions/{id}/replays`.
   * Needs the role `viewer` or a higher one, for an API key the scope `read:content` and the module `content`.
   */
  replays(id: string, query?: QueryOf<"listReplays">, options?: CallOptions): List<ItemOf<"listReplays">>;
}

export interface ReplaysResource {
  /**
   * Get a replay: `GET /v1/webhooks/replays/{id}`.
   * Needs the role `viewer` or a higher one, for an API key the scope `read:content` and the module `content`.
   */
  get(id: string, options?: CallOptions): Promise<DataOf<"getReplay">>;
  /**
   * Cancel a replay: `DELETE /v1/webhooks/replays/{id}`.
   * What was not sent becomes what it was before. Attempts in progress go on.
   *
   * Needs a dashboard token and the role `admin` or a higher one.
   */
  cancel(id: string, options?: CallOptions): Promise<DataOf<"cancelReplay">>;
}

export interface LedgerResource {
  /**
   * Get the ledger of a day: `GET /v1/webhooks/ledger`.
   * By `X-service-Event-Time`. Days that the delivery log no longer has are 404.
   *
   * Needs the role `viewer` or a higher one, for an API key the scope `read:content` and the module `content`.
   */
  get(query: QueryOf<"getLedger">, options?: CallOptions): Promise<DataOf<"getLedger">>;
  /**
   * List what was delivered of an hour, with its digest: `GET /v1/webhooks/ledger/deliveries`.
   * `page.digest` is that of the whole hour, as the first page read it. A page may have fewer items than `limit`, even none, while `nextCursor` is not `null`.
   *
   * Needs the role `viewer` or a higher one, for an API key the scope `read:content` and the module `content`.
   */
  deliveries(query: QueryOf<"listLedgerDeliveries">, options?: CallOptions): List<ItemOf<"listLedgerDeliveries">>;
}

export interface WebhookStatisticsResource {
  /**
   * Count attempts by minute, hour or day: `GET /v1/webhooks/statistics`.
   * At most 400 buckets; empty ones are there too.
   *
   * Needs the role `viewer` or a higher one, for an API key the scope `read:content` and the module `content`.
   */
  get(query?: QueryOf<"getWebhookStatistics">, options?: CallOptions): Promise<DataOf<"getWebhookStatistics">>;
}

export interface DeliveriesResource {
  /**
   * List deliveries, newest first: `GET /v1/webhooks/deliveries`.
   * A request searches at most 10,000 deliveries for `type`, for `status` and for the results of the latest attempt: a page may have fewer deliveries than `limit`, even none, while `nextCursor` is not null.
   *
   * Needs the role `viewer` or a higher one, for an API key the scope `read:content` and the module `content`.
   */
  list(query?: QueryOf<"listDeliveries">, options?: CallOptions): List<ItemOf<"listDeliveries">>;
  /**
   * Get a delivery with its attempts: `GET /v1/webhooks/deliveries/{id}`.
   * Needs the role `viewer` or a higher one, for an API key the scope `read:content` and the module `content`.
   */
  get(id: string, options?: CallOptions): Promise<DataOf<"getDelivery">>;
  /**
   * Deliver again: `POST /v1/webhooks/deliveries/{id}/redeliver`.
   * The same delivery with a new set of attempts, whatever its status. `conflict`: its subscription has been deleted, or its type is no longer offered.
   *
   * Needs a dashboard token and the role `admin` or a higher one.
   */
  redeliver(id: string, options?: CallOptions & WithKey): Promise<DataOf<"redeliver">>;
}

export interface WebhookEventsResource {
  /**
   * List the events that could be subscribed to, newest first: `GET /v1/webhooks/events`.
   * Whether or not a subscription matched them. A search by `type`, time or words ends after 10,000 events: a page may have fewer events than `limit`, even none, while `nextCursor` is not null.
   *
   * Needs the role `viewer` or a higher one, for an API key the scope `read:content` and the module `content`.
   */
  list(query?: QueryOf<"listWebhookEvents">, options?: CallOptions): List<ItemOf<"listWebhookEvents">>;
  /**
   * Get an event with its data and its subscriptions: `GET /v1/webhooks/events/{id}`.
   * `subscriptions` says why each of them has a delivery of the event, or has none.
   *
   * Needs the role `viewer` or a higher one, for an API key the scope `read:content` and the module `content`.
   */
  get(id: string, options?: CallOptions): Promise<DataOf<"getWebhookEvent">>;
  /**
   * List the event types that a subscription may name: `GET /v1/webhooks/event-types`.
   * All of them on one page. Types of orders are there if the operator offers them and the tenant has the module `crm`; their `data` is thin.
   *
   * Needs the role `viewer` or a higher one, for an API key the scope `read:content` and the module `content`.
   */
  types(options?: CallOptions): Promise<DataOf<"listEventTypes">>;
}

export interface ListenersResource {
  /**
   * Create a listener: `POST /v1/webhooks/listeners`.
   * Only this response shows the signing secret.
   *
   * Needs the role `editor` or a higher one, for an API key the scope `write:content` and the module `content`.
   */
  create(body: BodyOf<"createListener">, options?: CallOptions & WithKey): Promise<DataOf<"createListener">>;
  /**
   * List listeners, newest first: `GET /v1/webhooks/listeners`.
   * Needs the role `viewer` or a higher one, for an API key the scope `read:content` and the module `content`.
   */
  list(query?: QueryOf<"listListeners">, options?: CallOptions): List<ItemOf<"listListeners">>;
  /**
   * Get a listener: `GET /v1/webhooks/listeners/{id}`.
   * Needs the role `viewer` or a higher one, for an API key the scope `read:content` and the module `content`.
   */
  get(id: string, options?: CallOptions): Promise<DataOf<"getListener">>;
  /**
   * Delete a listener: `DELETE /v1/webhooks/listeners/{id}`.
   * Its open deliveries are cancelled; their log remains.
   *
   * Needs the role `editor` or a higher one and for an API key the scope `write:content`.
   */
  delete(id: string, options?: CallOptions): Promise<DataOf<"deleteListener">>;
  /**
   * Lease the deliveries that are due, oldest first: `POST /v1/webhooks/listeners/{id}/lease`.
   * Waits up to `waitSeconds` for the first one. A lease lasts 30 seconds; afterwards the delivery can be leased again as the same attempt. Each lease moves the listener's `expiresAt`.
   *
   * Needs the role `editor` or a higher one, for an API key the scope `write:content` and the module `content`.
   */
  lease(id: string, body?: BodyOf<"leaseDeliveries">, options?: CallOptions): Promise<DataOf<"leaseDeliveries">>;
  /**
   * Report the result of an attempt at a leased delivery: `POST /v1/webhooks/listeners/{id}/deliveries/{deliveryId}/result`.
   * A status from 200 to 299 acknowledges the delivery; anything else fails the attempt. The same result again changes nothing. Once another client has leased the delivery, it is 409 `lease_lost`.
   *
   * Needs the role `editor` or a higher one and for an API key the scope `write:content`.
   */
  report(id: string, deliveryId: string, body: BodyOf<"reportResult">, options?: CallOptions & WithKey): Promise<DataOf<"reportResult">>;
  /**
   * Redeliver a delivery of a listener: `POST /v1/webhooks/listeners/{id}/deliveries/{deliveryId}/redeliver`.
   * It can be leased again, from attempt 1 of the next round.
   *
   * Needs the role `editor` or a higher one, for an API key the scope `write:content` and the module `content`.
   */
  redeliver(id: string, deliveryId: string, options?: CallOptions & WithKey): Promise<DataOf<"redeliverToListener">>;
}

export interface NoticesResource {
  /**
   * List notices, the latest first: `GET /v1/notices`.
   * A notice says what needs somebody's care: an endpoint that fails, deliveries that failed for good, what waits too long. There is one for each episode; it is closed when the episode is over.
   *
   * Needs the role `viewer` or a higher one, for an API key the scope `read:content` and the module `content`.
   */
  list(query?: QueryOf<"listNotices">, options?: CallOptions): List<ItemOf<"listNotices">>;
  /**
   * Acknowledge a notice: `POST /v1/notices/{id}/acknowledge`.
   * Tells the others that somebody cares. Again, or for a closed notice, it changes nothing.
   *
   * Needs a dashboard token and the role `editor` or a higher one.
   */
  acknowledge(id: string, options?: CallOptions & WithKey): Promise<DataOf<"acknowledgeNotice">>;
  /**
   * Get where notices are sent: `GET /v1/notices/destination`.
   * Needs a dashboard token and the role `admin` or a higher one.
   */
  destination(options?: CallOptions): Promise<DataOf<"getNoticeDestination">>;
  /**
   * Set where notices are sent: `PUT /v1/notices/destination`.
   * Replaces the whole. A notice that opens or closes is posted to `url`, signed like a webhook, with `X-service-Event: notice.opened` or `notice.closed`; what opens is mailed to `emails`, which active users of the tenant must have confirmed. `signingSecret` is in the response the first time, and with `rotate: true`.
   *
   * Needs a dashboard token and the role `admin` or a higher one.
   */
  setDestination(body: BodyOf<"putNoticeDestination">, options?: CallOptions): Promise<DataOf<"putNoticeDestination">>;
  /**
   * Send notices nowhere: `DELETE /v1/notices/destination`.
   * Needs a dashboard token and the role `admin` or a higher one.
   */
  deleteDestination(options?: CallOptions): Promise<DataOf<"deleteNoticeDestination">>;
}

export interface MeResource {
  /**
   * Get the caller and the caller's tenant: `GET /v1/me`.
   * Needs the role `viewer` or a higher one.
   */
  get(options?: CallOptions): Promise<DataOf<"getMe">>;
  /**
   * Change the caller's password: `POST /v1/me/password`.
   * Ends all other sessions of the user. A wrong current password is 422 on `currentPassword`, and such failures are limited like sign-ins.
   *
   * Needs a dashboard token and the role `viewer` or a higher one.
   */
  changePassword(body: BodyOf<"changeMyPassword">, options?: CallOptions & WithKey): Promise<DataOf<"changeMyPassword">>;
  /**
   * List the caller's open sessions: `GET /v1/me/sessions`.
   * The newest come first.
   *
   * Needs a dashboard token and the role `viewer` or a higher one.
   */
  sessions(query?: QueryOf<"listMySessions">, options?: CallOptions): List<ItemOf<"listMySessions">>;
  /**
   * End a session of the caller: `DELETE /v1/me/sessions/{id}`.
   * Its tokens are refused from the next request on.
   *
   * Needs a dashboard token and the role `viewer` or a higher one.
   */
  endSession(id: string, options?: CallOptions): Promise<DataOf<"endMySession">>;
  /**
   * Set up a second factor: `POST /v1/me/second-factor`.
   * For an authenticator app (TOTP, RFC 6238). It counts once it is confirmed; until then, each request makes a new secret. A wrong current
   * password is 422 on `currentPassword`, and such failures are limited like failed sign-ins. A user who has a second factor gets 409
   * `conflict`.
   *
   * Needs a dashboard token and the role `viewer` or a higher one.
   */
  setUpSecondFactor(body: BodyOf<"setUpSecondFactor">, options?: CallOptions & WithKey): Promise<DataOf<"setUpSecondFactor">>;
  /**
   * Confirm a second factor with its first code: `POST /v1/me/second-factor/confirm`.
   * From now on, a sign-in needs a code. Ends all other sessions of the user. A wrong code is 422 on `code`; without a set-up the response is
   * 404, and 409 `conflict` for a second factor that is confirmed. Wrong codes are limited like failed sign-ins.
   *
   * Needs a dashboard token and the role `viewer` or a higher one.
   */
  confirmSecondFactor(body: BodyOf<"confirmSecondFactor">, options?: CallOptions & WithKey): Promise<DataOf<"confirmSecondFactor">>;
  /**
   * Remove the caller's second factor: `DELETE /v1/me/second-factor`.
   * Needs a code or a recovery code. Ends all other sessions of the user. A wrong one is 422 on its field. Wrong codes are limited like failed sign-ins.
   *
   * Needs a dashboard token and the role `viewer` or a higher one.
   */
  removeSecondFactor(body: BodyOf<"removeSecondFactor">, options?: CallOptions): Promise<DataOf<"removeSecondFactor">>;
  /**
   * Unlink the caller's identity at the provider: `DELETE /v1/me/identity`.
   * Ends all other sessions of the user. While passwords are switched off, the only owner who can sign in gets 409 `last_identity`.
   *
   * Needs a dashboard token and the role `viewer` or a higher one.
   */
  unlinkIdentity(options?: CallOptions): Promise<DataOf<"unlinkMyIdentity">>;
}

export interface AuthResource {
  /**
   * Sign in: `POST /v1/auth/login`.
   * Sets two cookies: `tradepost_refresh`, with which a browser gets its next token, and `tradepost_device`, which exempts a browser that
   * has signed in as this user before from one of the limits; over https their names begin with `__Secure-`. A wrong e-mail, a wrong password and an inactive user are the same 401.
   *
   * A user with a second factor gets `secondFactor` in place of a token, and no cookie: `POST /v1/auth/second-factor` goes on.
   *
   * Failures are limited: past 5 a minute for one e-mail from one address, 30 a minute from one address, or 100 an hour for one e-mail,
   * every attempt is 429.
   *
   * Needs no authentication.
   */
  login(body: BodyOf<"login">, options?: CallOptions): Promise<DataOf<"login">>;
  /**
   * Finish a sign-in with a second factor: `POST /v1/auth/second-factor`.
   * With the token of `POST /v1/auth/login` and a code or a recovery code. Sets the same cookies as a sign-in without a second factor. The
   * response is the same 401 for a wrong code, a used code, an expired token and a used token. The token is valid until the sixth wrong code.
   * Wrong codes count as failed sign-ins, under the same limits.
   *
   * Needs no authentication.
   */
  finishSignIn(body: BodyOf<"finishSignIn">, options?: CallOptions): Promise<DataOf<"finishSignIn">>;
  /**
   * Get the next dashboard token: `POST /v1/auth/refresh`.
   * Needs the cookie `tradepost_refresh`, and replaces it. A refresh secret that is used a second time ends the session. Without a session
   * the response is 401, and the cookie is cleared.
   *
   * Needs no authentication.
   */
  refresh(options?: CallOptions): Promise<DataOf<"refreshToken">>;
  /**
   * Sign out: `POST /v1/auth/logout`.
   * Ends the session of the cookie `tradepost_refresh` and clears the cookie. Its tokens are refused from the next request on. The response is
   * the same if there is no session.
   *
   * Needs no authentication.
   */
  logout(options?: CallOptions): Promise<DataOf<"logout">>;
  /**
   * Set a password with a set-up link: `POST /v1/auth/setup`.
   * Uses the link up and ends the user's sessions; then the user signs in. A token that was used, has expired or is unknown is 401. A
   * password that is refused does not use the link up. An e-mail that a user of another tenant has confirmed first is 409 `email_taken`.
   *
   * Needs no authentication.
   */
  setUpPassword(body: BodyOf<"setUpPassword">, options?: CallOptions): Promise<DataOf<"setUpPassword">>;
  /**
   * Get how staff may sign in: `GET /v1/auth/methods`.
   * With `oidc`, a browser signs in at that provider by `/v1/auth/oidc/start`.
   *
   * Needs no authentication.
   */
  methods(options?: CallOptions): Promise<DataOf<"getSignInMethods">>;
}

export interface ApiKeysResource {
  /**
   * Create an API key: `POST /v1/api-keys`.
   * A key has the role `editor`, narrowed by its scopes.
   *
   * Needs a dashboard token and the role `admin` or a higher one.
   */
  create(body: BodyOf<"createApiKey">, options?: CallOptions & WithKey): Promise<DataOf<"createApiKey">>;
  /**
   * List API keys: `GET /v1/api-keys`.
   * The newest come first; revoked and expired keys too.
   *
   * Needs a dashboard token and the role `admin` or a higher one.
   */
  list(query?: QueryOf<"listApiKeys">, options?: CallOptions): List<ItemOf<"listApiKeys">>;
  /**
   * Get an API key: `GET /v1/api-keys/{id}`.
   * Needs a dashboard token and the role `admin` or a higher one.
   */
  get(id: string, options?: CallOptions): Promise<DataOf<"getApiKey">>;
  /**
   * Change the label, the expiry or the addresses of an API key: `PATCH /v1/api-keys/{id}`.
   * An expiry can only be set or brought forward; a later one, or none, is 422.
   *
   * Needs a dashboard token and the role `admin` or a higher one.
   */
  update(id: string, body: BodyOf<"updateApiKey">, options?: CallOptions): Promise<DataOf<"updateApiKey">>;
  /**
   * Replace an API key by a new one: `POST /v1/api-keys/{id}/rotate`.
   * The new key has the same label, scopes and addresses. The old one works until the overlap ends and then expires; it never expires later than it
   * would have without the rotation. An expired key is 409 `conflict`, and one that has been rotated and has not expired is 409
   * `rotation_in_progress`. A rotation may exceed the limit of 100 live keys by one; beyond that it needs `overlapHours: 0`.
   *
   * Needs a dashboard token and the role `admin` or a higher one.
   */
  rotate(id: string, body?: BodyOf<"rotateApiKey">, options?: CallOptions & WithKey): Promise<DataOf<"rotateApiKey">>;
  /**
   * Revoke an API key: `DELETE /v1/api-keys/{id}`.
   * It is refused from the next request on. Revoking it again changes nothing.
   *
   * Needs a dashboard token and the role `admin` or a higher one.
   */
  revoke(id: string, options?: CallOptions): Promise<DataOf<"revokeApiKey">>;
  /**
   * Revoke a leaked API key: `POST /v1/auth/revoke-key`.
   * Needs nothing but the whole key. `revoked` is true if its secret is right, also if the key was revoked or has expired before. Wrong keys are limited like failed sign-ins.
   *
   * Needs no authentication.
   */
  revokeHeld(body: BodyOf<"revokeHeldKey">, options?: CallOptions): Promise<DataOf<"revokeHeldKey">>;
}

export interface UsersResource {
  /**
   * Create a staff user: `POST /v1/users`.
   * Without a password the response has a set-up link, `setup`, to pass on to the user. Only an owner may create, change or delete an owner. An e-mail that a user of any tenant
   * has confirmed, or that the tenant has added, is 409 `email_taken`; after 10 of these in an hour the response is 429.
   *
   * Needs a dashboard token and the role `admin` or a higher one.
   */
  create(body: BodyOf<"createUser">, options?: CallOptions & WithKey): Promise<DataOf<"createUser">>;
  /**
   * List staff users: `GET /v1/users`.
   * The newest come first.
   *
   * Needs a dashboard token and the role `admin` or a higher one.
   */
  list(query?: QueryOf<"listUsers">, options?: CallOptions): List<ItemOf<"listUsers">>;
  /**
   * Change a staff user: `PATCH /v1/users/{id}`.
   * A new role holds from the user's next request on; a new password ends the user's sessions. Only an owner may create, change or delete an owner. Only an owner may set the password of an
   * admin or an owner. A change that would leave the tenant without an active owner is 409 `last_owner`.
   *
   * Needs a dashboard token and the role `admin` or a higher one.
   */
  update(id: string, body: BodyOf<"updateUser">, options?: CallOptions): Promise<DataOf<"updateUser">>;
  /**
   * Delete a staff user: `DELETE /v1/users/{id}`.
   * Also ends the user's sessions. The audit log keeps what the user did. Only an owner may create, change or delete an owner. The last active owner is 409 `last_owner`.
   *
   * Needs a dashboard token and the role `admin` or a higher one.
   */
  delete(id: string, options?: CallOptions): Promise<DataOf<"deleteUser">>;
  /**
   * Make a set-up link for a staff user: `POST /v1/users/{id}/setup-link`.
   * For a user who has no password yet, or forgot it. A later link ends the earlier one. An inactive user is 409 `conflict`, and one whose e-mail
   * another user has confirmed 409 `email_taken`. Only an owner may make a link for an owner.
   *
   * Needs a dashboard token and the role `admin` or a higher one.
   */
  createSetupLink(id: string, body?: BodyOf<"createSetupLink">, options?: CallOptions & WithKey): Promise<DataOf<"createSetupLink">>;
  /**
   * List the open sessions of a staff user: `GET /v1/users/{id}/sessions`.
   * The newest come first. Only an owner may see the sessions of an owner.
   *
   * Needs a dashboard token and the role `admin` or a higher one.
   */
  sessions(id: string, query?: QueryOf<"listUserSessions">, options?: CallOptions): List<ItemOf<"listUserSessions">>;
  /**
   * End all sessions of a staff user: `DELETE /v1/users/{id}/sessions`.
   * Their tokens are refused from now on. Only an owner may end those of an owner.
   *
   * Needs a dashboard token and the role `admin` or a higher one.
   */
  endSessions(id: string, options?: CallOptions): Promise<DataOf<"endUserSessions">>;
  /**
   * Reset the second factor of a staff user: `DELETE /v1/users/{id}/second-factor`.
   * For a user who has lost it. Ends the user's sessions; then the password suffices until the user sets up another one. Only an owner may reset
   * that of an admin or an owner, and nobody the own one. A user without a second factor is 404.
   *
   * Needs a dashboard token and the role `admin` or a higher one.
   */
  resetSecondFactor(id: string, options?: CallOptions): Promise<DataOf<"resetSecondFactor">>;
}

export interface SecurityResource {
  /**
   * Get the security settings: `GET /v1/security`.
   * Needs a dashboard token and the role `admin` or a higher one.
   */
  get(options?: CallOptions): Promise<DataOf<"getSecurity">>;
  /**
   * Change the security settings: `PUT /v1/security`.
   * Holds from the next request on, for the sessions that are open too. To stop requiring a second factor, or to accept passwords again, the
   * owner needs a code; a missing or wrong one is 422 on `code`. Wrong codes are limited like failed sign-ins. Within 5 minutes of a
   * sign-in at the provider, passwords need none. Only an owner who is linked to the provider can switch passwords off (409 `conflict`).
   * API keys are not affected.
   *
   * Needs a dashboard token and the role `owner`.
   */
  set(body: BodyOf<"setSecurity">, options?: CallOptions): Promise<DataOf<"setSecurity">>;
}

export interface ModulesResource {
  /**
   * List the modules: `GET /v1/modules`.
   * All of them; the list has no pages.
   *
   * Needs the role `viewer` or a higher one.
   */
  list(options?: CallOptions): Promise<DataOf<"listModules">>;
  /**
   * Activate or deactivate a module: `PUT /v1/modules/{name}`.
   * Holds from the next request on. The routes of a module that is not active are 403.
   *
   * Needs a dashboard token and the role `owner`.
   */
  set(name: string, body: BodyOf<"setModule">, options?: CallOptions): Promise<DataOf<"setModule">>;
}

export interface ShopResource {
  /**
   * Get the settings of the shop: `GET /v1/shop`.
   * Needs the role `viewer` or a higher one and for an API key the scope `read:crm` or `read:content`.
   */
  get(options?: CallOptions): Promise<DataOf<"getShop">>;
  /**
   * Change the settings of the shop: `PATCH /v1/shop`.
   * An address replaces the whole address, unless in a JSON merge patch.
   *
   * Needs a dashboard token and the role `admin` or a higher one.
   */
  update(body: BodyOf<"updateShop">, options?: CallOptions): Promise<DataOf<"updateShop">>;
}

export interface AuditLogResource {
  /**
   * List the entries of the audit log: `GET /v1/audit-log`.
   * The newest come first. Entries match all filters.
   *
   * Needs a dashboard token and the role `admin` or a higher one.
   */
  list(query?: QueryOf<"listAuditLog">, options?: CallOptions): List<ItemOf<"listAuditLog">>;
  /**
   * Export the audit log, oldest first: `GET /v1/audit-log/export`.
   * The lines of `ndjson` are the entries that `listAuditLog` shows; `verifyAuditLog` of the client verifies their chain. An interrupted export is continued with `after`.
   *
   * Needs a dashboard token and the role `admin` or a higher one.
   */
  export(query?: QueryOf<"exportAuditLog">, options?: CallOptions): Promise<DataOf<"exportAuditLog">>;
  /**
   * Get the last entry's number and hash: `GET /v1/audit-log/head`.
   * Kept elsewhere, it shows later whether the log was cut or written again.
   *
   * Needs a dashboard token and the role `admin` or a higher one.
   */
  head(options?: CallOptions): Promise<DataOf<"getAuditLogHead">>;
}

export interface RequestsResource {
  /**
   * List the requests of the last 7 days, newest first: `GET /v1/requests`.
   * Written within seconds. A request searches at most 10,000 requests for `keyId`, `userId`, `actorType`, `status` and `route`: a page may have fewer than `limit`, even none, while `nextCursor` is not null.
   *
   * Needs a dashboard token and the role `admin` or a higher one.
   */
  list(query?: QueryOf<"listRequests">, options?: CallOptions): List<ItemOf<"listRequests">>;
  /**
   * Get a request of the last 7 days by its `X-Request-Id`: `GET /v1/requests/{requestId}`.
   * The latest of several with one id. An id that the caller chose is found among the tenant's newest 100000 requests.
   *
   * Needs a dashboard token and the role `admin` or a higher one.
   */
  get(requestId: string, options?: CallOptions): Promise<DataOf<"getRequest">>;
}

export interface UsageResource {
  /**
   * Get what the tenant uses: `GET /v1/usage`.
   * At most 5 minutes old. 503 if a service cannot be asked.
   *
   * Needs a dashboard token and the role `admin` or a higher one.
   */
  get(options?: CallOptions): Promise<DataOf<"getUsage">>;
}

export interface DescriptionResource {
  /**
   * Get this description: `GET /v1/openapi.json`.
   * A change of the API changes the `ETag`.
   *
   * Needs no authentication.
   */
  get(options?: CallOptions): Promise<DataOf<"getApiDescription">>;
}
