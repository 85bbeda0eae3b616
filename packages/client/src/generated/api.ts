// Generated from docs/openapi.json by `npm run docs`. Do not edit.
export interface paths {
    "/v1/openapi.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get this description
         * @description A change of the API changes the `ETag`.
         *
         *     Needs no authentication.
         */
        get: operations["getApiDescription"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/orders": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List orders, newest first
         * @description Needs the role `viewer` or a higher one, for an API key the scope `read:crm` and the module `crm`.
         */
        get: operations["listOrders"];
        put?: never;
        /**
         * Place an order
         * @description Needs the role `editor` or a higher one, for an API key the scope `write:crm` and the module `crm`.
         */
        post: operations["placeOrder"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/orders/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get an order
         * @description Needs the role `viewer` or a higher one, for an API key the scope `read:crm` and the module `crm`.
         */
        get: operations["getOrder"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export interface webhooks {
    "content.entry.created": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** A content entry is created */
        post: operations["receive_content_entry_created"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "content.entry.updated": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** An entry's fields change */
        post: operations["receive_content_entry_updated"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "content.entry.published": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** An entry goes live */
        post: operations["receive_content_entry_published"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "content.entry.scheduled": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** An entry is scheduled to publish later */
        post: operations["receive_content_entry_scheduled"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "content.entry.unpublished": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** A live entry is taken down */
        post: operations["receive_content_entry_unpublished"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "content.entry.deleted": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** An entry is deleted */
        post: operations["receive_content_entry_deleted"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "media.uploaded": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** A media asset is uploaded */
        post: operations["receive_media_uploaded"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "media.processed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Derivatives of an asset finish processing */
        post: operations["receive_media_processed"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "redirect.added": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** A URL redirect is created */
        post: operations["receive_redirect_added"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "redirect.removed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** A URL redirect is removed */
        post: operations["receive_redirect_removed"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export interface components {
    schemas: {
        /** @description Every field at fault. */
        FieldFaults: {
            path: string;
            message: string;
        }[];
        /** @description An order with its lines. Amounts are in currency units. */
        Order: {
            /** Format: uuid */
            id: string;
            orderNumber: string;
            /** @enum {string} */
            status: "placed" | "fulfilled" | "delivered" | "cancelled";
            /** @enum {string} */
            paymentStatus: "unpaid" | "failed" | "paid" | "partially_refunded" | "refunded";
            customerId: string;
            /** @enum {string} */
            channel: "storefront" | "b2b_portal" | "admin" | "import" | "mcp";
            currency: string;
            subtotal: number;
            shippingTotal: number;
            discountTotal: number;
            taxTotal: number;
            total: number;
            paidTotal: number;
            refundedTotal: number;
            amountDue: number;
            allowedActions: ("payments" | "fulfill" | "deliver" | "cancel" | "refund")[];
            items: {
                /** Format: uuid */
                id: string;
                sku: string;
                name: string;
                quantity: number;
                unitPrice: number;
                subtotal: number;
                taxAmount: number;
                /** Format: uuid */
                productId?: string;
                /** Format: uuid */
                variantId?: string;
                description?: string;
            }[];
            externalId?: string;
            propertyId?: string;
            shippingAddress?: {
                line1: string;
                city: string;
            } & {
                [key: string]: unknown;
            };
            billingAddress?: {
                line1: string;
                city: string;
            } & {
                [key: string]: unknown;
            };
            customerNote?: string;
            metadata?: {
                [key: string]: unknown;
            };
            trackingNumber?: string;
            carrier?: string;
            cancelReason?: string;
            version: number;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
            internalNote?: string;
        };
        OrderInList: {
            /** Format: uuid */
            id: string;
            orderNumber: string;
            /** @enum {string} */
            status: "placed" | "fulfilled" | "delivered" | "cancelled";
            /** @enum {string} */
            paymentStatus: "unpaid" | "failed" | "paid" | "partially_refunded" | "refunded";
            customerId: string;
            /** @enum {string} */
            channel: "storefront" | "b2b_portal" | "admin" | "import" | "mcp";
            currency: string;
            subtotal: number;
            shippingTotal: number;
            discountTotal: number;
            taxTotal: number;
            total: number;
            paidTotal: number;
            refundedTotal: number;
            amountDue: number;
            allowedActions: ("payments" | "fulfill" | "deliver" | "cancel" | "refund")[];
            externalId?: string;
            propertyId?: string;
            shippingAddress?: {
                line1: string;
                city: string;
            } & {
                [key: string]: unknown;
            };
            billingAddress?: {
                line1: string;
                city: string;
            } & {
                [key: string]: unknown;
            };
            customerNote?: string;
            metadata?: {
                [key: string]: unknown;
            };
            trackingNumber?: string;
            carrier?: string;
            cancelReason?: string;
            version: number;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
            internalNote?: string;
        };
        Page: {
            /** @description The `cursor` of the next page; null on the last. */
            nextCursor: string | null;
        };
    };
    responses: {
        /** @description `bad_request` */
        BadRequest: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": {
                    /** @constant */
                    success: false;
                    error: {
                        /** @enum {string} */
                        code: "bad_request";
                        message: string;
                        requestId: string;
                    };
                };
            };
        };
        /** @description `bad_request`, `invalid_json` */
        BadRequestOrInvalidJson: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": {
                    /** @constant */
                    success: false;
                    error: {
                        /** @enum {string} */
                        code: "bad_request" | "invalid_json";
                        message: string;
                        requestId: string;
                    };
                };
            };
        };
        /** @description `order_exists`, `order_number_taken`, `conflict` */
        ConflictOrOrderExistsOrOrderNumberTaken: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": {
                    /** @constant */
                    success: false;
                    error: {
                        /** @enum {string} */
                        code: "order_exists" | "order_number_taken" | "conflict";
                        message: string;
                        requestId: string;
                        /** Format: uuid */
                        orderId?: string;
                    };
                };
            };
        };
        /** @description `forbidden`, `tenant_suspended`, `module_disabled` */
        ForbiddenOrModuleDisabledOrTenantSuspended: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": {
                    /** @constant */
                    success: false;
                    error: {
                        /** @enum {string} */
                        code: "forbidden" | "tenant_suspended" | "module_disabled";
                        message: string;
                        requestId: string;
                    };
                };
            };
        };
        /** @description `validation_error`, `idempotency_key_reused` */
        IdempotencyKeyReusedOrValidationError: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": {
                    /** @constant */
                    success: false;
                    error: {
                        /** @enum {string} */
                        code: "validation_error" | "idempotency_key_reused";
                        message: string;
                        requestId: string;
                        details?: components["schemas"]["FieldFaults"];
                    };
                };
            };
        };
        /** @description `internal_error` */
        InternalError: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": {
                    /** @constant */
                    success: false;
                    error: {
                        /** @enum {string} */
                        code: "internal_error";
                        message: string;
                        requestId: string;
                    };
                };
            };
        };
        /** @description `not_found` */
        NotFound: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": {
                    /** @constant */
                    success: false;
                    error: {
                        /** @enum {string} */
                        code: "not_found";
                        message: string;
                        requestId: string;
                    };
                };
            };
        };
        /** @description `payload_too_large` */
        PayloadTooLarge: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": {
                    /** @constant */
                    success: false;
                    error: {
                        /** @enum {string} */
                        code: "payload_too_large";
                        message: string;
                        requestId: string;
                    };
                };
            };
        };
        /** @description `rate_limited` */
        RateLimited: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                "application/json": {
                    /** @constant */
                    success: false;
                    error: {
                        /** @enum {string} */
                        code: "rate_limited";
                        message: string;
                        requestId: string;
                    };
                };
            };
        };
        /** @description `service_unavailable` */
        ServiceUnavailable: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                "application/json": {
                    /** @constant */
                    success: false;
                    error: {
                        /** @enum {string} */
                        code: "service_unavailable";
                        message: string;
                        requestId: string;
                    };
                };
            };
        };
        /** @description `unauthorized` */
        Unauthorized: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": {
                    /** @constant */
                    success: false;
                    error: {
                        /** @enum {string} */
                        code: "unauthorized";
                        message: string;
                        requestId: string;
                    };
                };
            };
        };
        /** @description `unsupported_media_type` */
        UnsupportedMediaType: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": {
                    /** @constant */
                    success: false;
                    error: {
                        /** @enum {string} */
                        code: "unsupported_media_type";
                        message: string;
                        requestId: string;
                    };
                };
            };
        };
        /** @description `upstream_timeout` */
        UpstreamTimeout: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": {
                    /** @constant */
                    success: false;
                    error: {
                        /** @enum {string} */
                        code: "upstream_timeout";
                        message: string;
                        requestId: string;
                    };
                };
            };
        };
        /** @description `upstream_unavailable` */
        UpstreamUnavailable: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": {
                    /** @constant */
                    success: false;
                    error: {
                        /** @enum {string} */
                        code: "upstream_unavailable";
                        message: string;
                        requestId: string;
                    };
                };
            };
        };
        /** @description `validation_error` */
        ValidationError: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": {
                    /** @constant */
                    success: false;
                    error: {
                        /** @enum {string} */
                        code: "validation_error";
                        message: string;
                        requestId: string;
                        details?: components["schemas"]["FieldFaults"];
                    };
                };
            };
        };
    };
    parameters: {
        /** @description The event type. */
        "X-service-Event": string;
        /** @description The delivery's id: the same in every attempt. */
        "X-service-Delivery": string;
        /** @description `sha256=` and the HMAC-SHA256 of the body in hex; the key is the whole secret, with `whsec_`. */
        "X-service-Signature": string;
        /** @description The same with the previous secret, during the overlap after a rotation. */
        "X-service-Signature-Previous": string;
        /** @description The number of the attempt, from 1. */
        "X-service-Attempt": string;
        /** @description The event's id. */
        "X-service-Event-Id": string;
        /** @description When the change was committed, ISO 8601. */
        "X-service-Event-Time": string;
        /** @description The delivery's id, as Standard Webhooks names it. */
        "webhook-id": string;
        /** @description The time of the attempt in seconds, as Standard Webhooks names it. */
        "webhook-timestamp": string;
        /** @description The signature of Standard Webhooks. */
        "webhook-signature": string;
    };
    requestBodies: never;
    headers: {
        /** @description The request's id: the caller's, if it sent a valid one. */
        "X-Request-Id": string;
        /** @description The version of the resource. */
        ETag: string;
        /** @description `true` if this is the response to an earlier request with the same `Idempotency-Key`. */
        "Idempotent-Replayed": "true";
        /** @description The seconds to wait before the next attempt. */
        "Retry-After": string;
    };
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    getApiDescription: {
        parameters: {
            query?: never;
            header?: {
                /** @description An `ETag`. While it is the current one, the response is 304. */
                "If-None-Match"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        openapi: string;
                        info: {
                            title: string;
                            version: string;
                        } & {
                            [key: string]: unknown;
                        };
                        paths: {
                            [key: string]: unknown;
                        };
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
            /** @description Not modified: the ETag matches. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            413: components["responses"]["PayloadTooLarge"];
            422: components["responses"]["ValidationError"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            502: components["responses"]["UpstreamUnavailable"];
            503: components["responses"]["ServiceUnavailable"];
            504: components["responses"]["UpstreamTimeout"];
        };
    };
    listOrders: {
        parameters: {
            query?: {
                limit?: number;
                /** @description `page.nextCursor` of the page before */
                cursor?: string;
                status?: string;
                paymentStatus?: string;
                customerId?: string;
                channel?: "storefront" | "b2b_portal" | "admin" | "import" | "mcp";
                propertyId?: string;
                externalId?: string;
                orderNumber?: string;
                ids?: string;
                createdAfter?: string;
                createdBefore?: string;
                updatedAfter?: string;
                updatedBefore?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["OrderInList"][];
                        page: components["schemas"]["Page"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ForbiddenOrModuleDisabledOrTenantSuspended"];
            413: components["responses"]["PayloadTooLarge"];
            422: components["responses"]["ValidationError"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            502: components["responses"]["UpstreamUnavailable"];
            503: components["responses"]["ServiceUnavailable"];
            504: components["responses"]["UpstreamTimeout"];
        };
    };
    placeOrder: {
        parameters: {
            query?: never;
            header?: {
                /** @description 1 to 255 visible ASCII characters, chosen by the caller. A repeated request with the same key gets the first response, with `Idempotent-Replayed: true`. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    customerId: string;
                    items: {
                        sku: string;
                        name: string;
                        /** @default 1 */
                        quantity?: number;
                        /** @default 0 */
                        unitPrice?: number;
                        /** @default 0 */
                        taxAmount?: number;
                        /** Format: uuid */
                        productId?: string;
                        /** Format: uuid */
                        variantId?: string;
                        description?: string;
                    }[];
                    /** @default USD */
                    currency?: string;
                    /**
                     * @default admin
                     * @enum {string}
                     */
                    channel?: "storefront" | "b2b_portal" | "admin" | "import" | "mcp";
                    propertyId?: string;
                    /** @default 0 */
                    shippingTotal?: number;
                    /** @default 0 */
                    discountTotal?: number;
                    taxTotal?: number;
                    shippingAddress?: {
                        line1: string;
                        city: string;
                    } & {
                        [key: string]: unknown;
                    };
                    billingAddress?: {
                        line1: string;
                        city: string;
                    } & {
                        [key: string]: unknown;
                    };
                    customerNote?: string;
                    internalNote?: string;
                    orderNumber?: string;
                    externalId?: string;
                    metadata?: {
                        [key: string]: unknown;
                    };
                };
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["Order"];
                    };
                };
            };
            400: components["responses"]["BadRequestOrInvalidJson"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ForbiddenOrModuleDisabledOrTenantSuspended"];
            409: components["responses"]["ConflictOrOrderExistsOrOrderNumberTaken"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyKeyReusedOrValidationError"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            502: components["responses"]["UpstreamUnavailable"];
            503: components["responses"]["ServiceUnavailable"];
            504: components["responses"]["UpstreamTimeout"];
        };
    };
    getOrder: {
        parameters: {
            query?: never;
            header?: {
                /** @description An `ETag`. While it is the current one, the response is 304. */
                "If-None-Match"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["Order"];
                    };
                };
            };
            /** @description Not modified: the ETag matches. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ForbiddenOrModuleDisabledOrTenantSuspended"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            422: components["responses"]["ValidationError"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            502: components["responses"]["UpstreamUnavailable"];
            503: components["responses"]["ServiceUnavailable"];
            504: components["responses"]["UpstreamTimeout"];
        };
    };
    receive_content_entry_created: {
        parameters: {
            query?: never;
            header: {
                /** @description The event type. */
                "X-service-Event": components["parameters"]["X-service-Event"];
                /** @description The delivery's id: the same in every attempt. */
                "X-service-Delivery": components["parameters"]["X-service-Delivery"];
                /** @description `sha256=` and the HMAC-SHA256 of the body in hex; the key is the whole secret, with `whsec_`. */
                "X-service-Signature": components["parameters"]["X-service-Signature"];
                /** @description The same with the previous secret, during the overlap after a rotation. */
                "X-service-Signature-Previous"?: components["parameters"]["X-service-Signature-Previous"];
                /** @description The number of the attempt, from 1. */
                "X-service-Attempt": components["parameters"]["X-service-Attempt"];
                /** @description The event's id. */
                "X-service-Event-Id": components["parameters"]["X-service-Event-Id"];
                /** @description When the change was committed, ISO 8601. */
                "X-service-Event-Time": components["parameters"]["X-service-Event-Time"];
                /** @description The delivery's id, as Standard Webhooks names it. */
                "webhook-id": components["parameters"]["webhook-id"];
                /** @description The time of the attempt in seconds, as Standard Webhooks names it. */
                "webhook-timestamp": components["parameters"]["webhook-timestamp"];
                /** @description The signature of Standard Webhooks. */
                "webhook-signature": components["parameters"]["webhook-signature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": "0198c5a2-8000-7000-8000-000000000001",
                 *       "type": "content.entry.created",
                 *       "tenant_id": "0198c5a0-0000-7000-8000-000000000001",
                 *       "data": {
                 *         "entry": {
                 *           "id": "0198c5b3-7a10-7c44-9d2e-3b4c5d6e7f80",
                 *           "type": "article",
                 *           "slug": "autumn-collection",
                 *           "locale": "en",
                 *           "status": "draft",
                 *           "hasUnpublishedChanges": true,
                 *           "revision": 1,
                 *           "publishedRevision": null,
                 *           "publishedAt": null,
                 *           "publishAt": null,
                 *           "data": {
                 *             "title": "The autumn collection",
                 *             "body": "Warm colours, from Friday on."
                 *           },
                 *           "createdAt": "2026-08-20T09:30:00.000Z",
                 *           "updatedAt": "2026-08-20T09:30:00.000Z",
                 *           "version": 1
                 *         }
                 *       },
                 *       "delivered_at": "2026-08-20T09:30:00.500Z"
                 *     }
                 */
                "application/json": {
                    /**
                     * Format: uuid
                     * @description The delivery's id.
                     */
                    id: string;
                    /** @constant */
                    type: "content.entry.created";
                    /** Format: uuid */
                    tenant_id: string;
                    data: {
                        entry: {
                            /** Format: uuid */
                            id: string;
                            type: string;
                            slug: string;
                            locale: string;
                            /** @enum {string} */
                            status: "draft" | "scheduled" | "published";
                            hasUnpublishedChanges: boolean;
                            revision: number;
                            publishedRevision: number | null;
                            publishedAt: string | null;
                            publishAt: string | null;
                            scheduleError?: string;
                            data: {
                                [key: string]: unknown;
                            };
                            /** Format: date-time */
                            createdAt: string;
                            /** Format: date-time */
                            updatedAt: string;
                            version: number;
                        };
                    };
                    /**
                     * Format: date-time
                     * @description The time of the attempt.
                     */
                    delivered_at: string;
                };
            };
        };
        responses: {
            /** @description Received. Any other status, or none within 10 s, is a failed attempt. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receive_content_entry_updated: {
        parameters: {
            query?: never;
            header: {
                /** @description The event type. */
                "X-service-Event": components["parameters"]["X-service-Event"];
                /** @description The delivery's id: the same in every attempt. */
                "X-service-Delivery": components["parameters"]["X-service-Delivery"];
                /** @description `sha256=` and the HMAC-SHA256 of the body in hex; the key is the whole secret, with `whsec_`. */
                "X-service-Signature": components["parameters"]["X-service-Signature"];
                /** @description The same with the previous secret, during the overlap after a rotation. */
                "X-service-Signature-Previous"?: components["parameters"]["X-service-Signature-Previous"];
                /** @description The number of the attempt, from 1. */
                "X-service-Attempt": components["parameters"]["X-service-Attempt"];
                /** @description The event's id. */
                "X-service-Event-Id": components["parameters"]["X-service-Event-Id"];
                /** @description When the change was committed, ISO 8601. */
                "X-service-Event-Time": components["parameters"]["X-service-Event-Time"];
                /** @description The delivery's id, as Standard Webhooks names it. */
                "webhook-id": components["parameters"]["webhook-id"];
                /** @description The time of the attempt in seconds, as Standard Webhooks names it. */
                "webhook-timestamp": components["parameters"]["webhook-timestamp"];
                /** @description The signature of Standard Webhooks. */
                "webhook-signature": components["parameters"]["webhook-signature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": "0198c5a2-8000-7000-8000-000000000001",
                 *       "type": "content.entry.updated",
                 *       "tenant_id": "0198c5a0-0000-7000-8000-000000000001",
                 *       "data": {
                 *         "entry": {
                 *           "id": "0198c5b3-7a10-7c44-9d2e-3b4c5d6e7f80",
                 *           "type": "article",
                 *           "slug": "autumn-collection",
                 *           "locale": "en",
                 *           "status": "draft",
                 *           "hasUnpublishedChanges": true,
                 *           "revision": 2,
                 *           "publishedRevision": null,
                 *           "publishedAt": null,
                 *           "publishAt": null,
                 *           "data": {
                 *             "title": "The autumn collection",
                 *             "body": "Warm colours, from Friday on."
                 *           },
                 *           "createdAt": "2026-08-20T09:30:00.000Z",
                 *           "updatedAt": "2026-08-20T10:00:00.000Z",
                 *           "version": 2
                 *         }
                 *       },
                 *       "delivered_at": "2026-08-20T09:30:00.500Z"
                 *     }
                 */
                "application/json": {
                    /**
                     * Format: uuid
                     * @description The delivery's id.
                     */
                    id: string;
                    /** @constant */
                    type: "content.entry.updated";
                    /** Format: uuid */
                    tenant_id: string;
                    data: {
                        entry: {
                            /** Format: uuid */
                            id: string;
                            type: string;
                            slug: string;
                            locale: string;
                            /** @enum {string} */
                            status: "draft" | "scheduled" | "published";
                            hasUnpublishedChanges: boolean;
                            revision: number;
                            publishedRevision: number | null;
                            publishedAt: string | null;
                            publishAt: string | null;
                            scheduleError?: string;
                            data: {
                                [key: string]: unknown;
                            };
                            /** Format: date-time */
                            createdAt: string;
                            /** Format: date-time */
                            updatedAt: string;
                            version: number;
                        };
                    };
                    /**
                     * Format: date-time
                     * @description The time of the attempt.
                     */
                    delivered_at: string;
                };
            };
        };
        responses: {
            /** @description Received. Any other status, or none within 10 s, is a failed attempt. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receive_content_entry_published: {
        parameters: {
            query?: never;
            header: {
                /** @description The event type. */
                "X-service-Event": components["parameters"]["X-service-Event"];
                /** @description The delivery's id: the same in every attempt. */
                "X-service-Delivery": components["parameters"]["X-service-Delivery"];
                /** @description `sha256=` and the HMAC-SHA256 of the body in hex; the key is the whole secret, with `whsec_`. */
                "X-service-Signature": components["parameters"]["X-service-Signature"];
                /** @description The same with the previous secret, during the overlap after a rotation. */
                "X-service-Signature-Previous"?: components["parameters"]["X-service-Signature-Previous"];
                /** @description The number of the attempt, from 1. */
                "X-service-Attempt": components["parameters"]["X-service-Attempt"];
                /** @description The event's id. */
                "X-service-Event-Id": components["parameters"]["X-service-Event-Id"];
                /** @description When the change was committed, ISO 8601. */
                "X-service-Event-Time": components["parameters"]["X-service-Event-Time"];
                /** @description The delivery's id, as Standard Webhooks names it. */
                "webhook-id": components["parameters"]["webhook-id"];
                /** @description The time of the attempt in seconds, as Standard Webhooks names it. */
                "webhook-timestamp": components["parameters"]["webhook-timestamp"];
                /** @description The signature of Standard Webhooks. */
                "webhook-signature": components["parameters"]["webhook-signature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": "0198c5a2-8000-7000-8000-000000000001",
                 *       "type": "content.entry.published",
                 *       "tenant_id": "0198c5a0-0000-7000-8000-000000000001",
                 *       "data": {
                 *         "entry": {
                 *           "id": "0198c5b3-7a10-7c44-9d2e-3b4c5d6e7f80",
                 *           "type": "article",
                 *           "slug": "autumn-collection",
                 *           "locale": "en",
                 *           "status": "published",
                 *           "hasUnpublishedChanges": false,
                 *           "revision": 2,
                 *           "publishedRevision": 2,
                 *           "publishedAt": "2026-08-21T06:00:00.000Z",
                 *           "publishAt": null,
                 *           "data": {
                 *             "title": "The autumn collection",
                 *             "body": "Warm colours, from Friday on."
                 *           },
                 *           "createdAt": "2026-08-20T09:30:00.000Z",
                 *           "updatedAt": "2026-08-21T06:00:00.000Z",
                 *           "version": 4
                 *         }
                 *       },
                 *       "delivered_at": "2026-08-20T09:30:00.500Z"
                 *     }
                 */
                "application/json": {
                    /**
                     * Format: uuid
                     * @description The delivery's id.
                     */
                    id: string;
                    /** @constant */
                    type: "content.entry.published";
                    /** Format: uuid */
                    tenant_id: string;
                    data: {
                        entry: {
                            /** Format: uuid */
                            id: string;
                            type: string;
                            slug: string;
                            locale: string;
                            /** @enum {string} */
                            status: "draft" | "scheduled" | "published";
                            hasUnpublishedChanges: boolean;
                            revision: number;
                            publishedRevision: number | null;
                            publishedAt: string | null;
                            publishAt: string | null;
                            scheduleError?: string;
                            data: {
                                [key: string]: unknown;
                            };
                            /** Format: date-time */
                            createdAt: string;
                            /** Format: date-time */
                            updatedAt: string;
                            version: number;
                        };
                    };
                    /**
                     * Format: date-time
                     * @description The time of the attempt.
                     */
                    delivered_at: string;
                };
            };
        };
        responses: {
            /** @description Received. Any other status, or none within 10 s, is a failed attempt. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receive_content_entry_scheduled: {
        parameters: {
            query?: never;
            header: {
                /** @description The event type. */
                "X-service-Event": components["parameters"]["X-service-Event"];
                /** @description The delivery's id: the same in every attempt. */
                "X-service-Delivery": components["parameters"]["X-service-Delivery"];
                /** @description `sha256=` and the HMAC-SHA256 of the body in hex; the key is the whole secret, with `whsec_`. */
                "X-service-Signature": components["parameters"]["X-service-Signature"];
                /** @description The same with the previous secret, during the overlap after a rotation. */
                "X-service-Signature-Previous"?: components["parameters"]["X-service-Signature-Previous"];
                /** @description The number of the attempt, from 1. */
                "X-service-Attempt": components["parameters"]["X-service-Attempt"];
                /** @description The event's id. */
                "X-service-Event-Id": components["parameters"]["X-service-Event-Id"];
                /** @description When the change was committed, ISO 8601. */
                "X-service-Event-Time": components["parameters"]["X-service-Event-Time"];
                /** @description The delivery's id, as Standard Webhooks names it. */
                "webhook-id": components["parameters"]["webhook-id"];
                /** @description The time of the attempt in seconds, as Standard Webhooks names it. */
                "webhook-timestamp": components["parameters"]["webhook-timestamp"];
                /** @description The signature of Standard Webhooks. */
                "webhook-signature": components["parameters"]["webhook-signature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": "0198c5a2-8000-7000-8000-000000000001",
                 *       "type": "content.entry.scheduled",
                 *       "tenant_id": "0198c5a0-0000-7000-8000-000000000001",
                 *       "data": {
                 *         "entry": {
                 *           "id": "0198c5b3-7a10-7c44-9d2e-3b4c5d6e7f80",
                 *           "type": "article",
                 *           "slug": "autumn-collection",
                 *           "locale": "en",
                 *           "status": "scheduled",
                 *           "hasUnpublishedChanges": true,
                 *           "revision": 2,
                 *           "publishedRevision": null,
                 *           "publishedAt": null,
                 *           "publishAt": "2026-08-21T06:00:00.000Z",
                 *           "data": {
                 *             "title": "The autumn collection",
                 *             "body": "Warm colours, from Friday on."
                 *           },
                 *           "createdAt": "2026-08-20T09:30:00.000Z",
                 *           "updatedAt": "2026-08-20T10:00:00.000Z",
                 *           "version": 3
                 *         }
                 *       },
                 *       "delivered_at": "2026-08-20T09:30:00.500Z"
                 *     }
                 */
                "application/json": {
                    /**
                     * Format: uuid
                     * @description The delivery's id.
                     */
                    id: string;
                    /** @constant */
                    type: "content.entry.scheduled";
                    /** Format: uuid */
                    tenant_id: string;
                    data: {
                        entry: {
                            /** Format: uuid */
                            id: string;
                            type: string;
                            slug: string;
                            locale: string;
                            /** @enum {string} */
                            status: "draft" | "scheduled" | "published";
                            hasUnpublishedChanges: boolean;
                            revision: number;
                            publishedRevision: number | null;
                            publishedAt: string | null;
                            publishAt: string | null;
                            scheduleError?: string;
                            data: {
                                [key: string]: unknown;
                            };
                            /** Format: date-time */
                            createdAt: string;
                            /** Format: date-time */
                            updatedAt: string;
                            version: number;
                        };
                    };
                    /**
                     * Format: date-time
                     * @description The time of the attempt.
                     */
                    delivered_at: string;
                };
            };
        };
        responses: {
            /** @description Received. Any other status, or none within 10 s, is a failed attempt. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receive_content_entry_unpublished: {
        parameters: {
            query?: never;
            header: {
                /** @description The event type. */
                "X-service-Event": components["parameters"]["X-service-Event"];
                /** @description The delivery's id: the same in every attempt. */
                "X-service-Delivery": components["parameters"]["X-service-Delivery"];
                /** @description `sha256=` and the HMAC-SHA256 of the body in hex; the key is the whole secret, with `whsec_`. */
                "X-service-Signature": components["parameters"]["X-service-Signature"];
                /** @description The same with the previous secret, during the overlap after a rotation. */
                "X-service-Signature-Previous"?: components["parameters"]["X-service-Signature-Previous"];
                /** @description The number of the attempt, from 1. */
                "X-service-Attempt": components["parameters"]["X-service-Attempt"];
                /** @description The event's id. */
                "X-service-Event-Id": components["parameters"]["X-service-Event-Id"];
                /** @description When the change was committed, ISO 8601. */
                "X-service-Event-Time": components["parameters"]["X-service-Event-Time"];
                /** @description The delivery's id, as Standard Webhooks names it. */
                "webhook-id": components["parameters"]["webhook-id"];
                /** @description The time of the attempt in seconds, as Standard Webhooks names it. */
                "webhook-timestamp": components["parameters"]["webhook-timestamp"];
                /** @description The signature of Standard Webhooks. */
                "webhook-signature": components["parameters"]["webhook-signature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": "0198c5a2-8000-7000-8000-000000000001",
                 *       "type": "content.entry.unpublished",
                 *       "tenant_id": "0198c5a0-0000-7000-8000-000000000001",
                 *       "data": {
                 *         "entry": {
                 *           "id": "0198c5b3-7a10-7c44-9d2e-3b4c5d6e7f80",
                 *           "type": "article",
                 *           "slug": "autumn-collection",
                 *           "locale": "en",
                 *           "status": "draft",
                 *           "hasUnpublishedChanges": true,
                 *           "revision": 2,
                 *           "publishedRevision": null,
                 *           "publishedAt": null,
                 *           "publishAt": null,
                 *           "data": {
                 *             "title": "The autumn collection",
                 *             "body": "Warm colours, from Friday on."
                 *           },
                 *           "createdAt": "2026-08-20T09:30:00.000Z",
                 *           "updatedAt": "2026-09-01T08:00:00.000Z",
                 *           "version": 5
                 *         }
                 *       },
                 *       "delivered_at": "2026-08-20T09:30:00.500Z"
                 *     }
                 */
                "application/json": {
                    /**
                     * Format: uuid
                     * @description The delivery's id.
                     */
                    id: string;
                    /** @constant */
                    type: "content.entry.unpublished";
                    /** Format: uuid */
                    tenant_id: string;
                    data: {
                        entry: {
                            /** Format: uuid */
                            id: string;
                            type: string;
                            slug: string;
                            locale: string;
                            /** @enum {string} */
                            status: "draft" | "scheduled" | "published";
                            hasUnpublishedChanges: boolean;
                            revision: number;
                            publishedRevision: number | null;
                            publishedAt: string | null;
                            publishAt: string | null;
                            scheduleError?: string;
                            data: {
                                [key: string]: unknown;
                            };
                            /** Format: date-time */
                            createdAt: string;
                            /** Format: date-time */
                            updatedAt: string;
                            version: number;
                        };
                    };
                    /**
                     * Format: date-time
                     * @description The time of the attempt.
                     */
                    delivered_at: string;
                };
            };
        };
        responses: {
            /** @description Received. Any other status, or none within 10 s, is a failed attempt. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receive_content_entry_deleted: {
        parameters: {
            query?: never;
            header: {
                /** @description The event type. */
                "X-service-Event": components["parameters"]["X-service-Event"];
                /** @description The delivery's id: the same in every attempt. */
                "X-service-Delivery": components["parameters"]["X-service-Delivery"];
                /** @description `sha256=` and the HMAC-SHA256 of the body in hex; the key is the whole secret, with `whsec_`. */
                "X-service-Signature": components["parameters"]["X-service-Signature"];
                /** @description The same with the previous secret, during the overlap after a rotation. */
                "X-service-Signature-Previous"?: components["parameters"]["X-service-Signature-Previous"];
                /** @description The number of the attempt, from 1. */
                "X-service-Attempt": components["parameters"]["X-service-Attempt"];
                /** @description The event's id. */
                "X-service-Event-Id": components["parameters"]["X-service-Event-Id"];
                /** @description When the change was committed, ISO 8601. */
                "X-service-Event-Time": components["parameters"]["X-service-Event-Time"];
                /** @description The delivery's id, as Standard Webhooks names it. */
                "webhook-id": components["parameters"]["webhook-id"];
                /** @description The time of the attempt in seconds, as Standard Webhooks names it. */
                "webhook-timestamp": components["parameters"]["webhook-timestamp"];
                /** @description The signature of Standard Webhooks. */
                "webhook-signature": components["parameters"]["webhook-signature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": "0198c5a2-8000-7000-8000-000000000001",
                 *       "type": "content.entry.deleted",
                 *       "tenant_id": "0198c5a0-0000-7000-8000-000000000001",
                 *       "data": {
                 *         "entry": {
                 *           "id": "0198c5b3-7a10-7c44-9d2e-3b4c5d6e7f80",
                 *           "type": "article",
                 *           "slug": "autumn-collection",
                 *           "locale": "en",
                 *           "status": "draft",
                 *           "hasUnpublishedChanges": true,
                 *           "revision": 2,
                 *           "publishedRevision": null,
                 *           "publishedAt": null,
                 *           "publishAt": null,
                 *           "data": {
                 *             "title": "The autumn collection",
                 *             "body": "Warm colours, from Friday on."
                 *           },
                 *           "createdAt": "2026-08-20T09:30:00.000Z",
                 *           "updatedAt": "2026-09-02T08:00:00.000Z",
                 *           "version": 6
                 *         }
                 *       },
                 *       "delivered_at": "2026-08-20T09:30:00.500Z"
                 *     }
                 */
                "application/json": {
                    /**
                     * Format: uuid
                     * @description The delivery's id.
                     */
                    id: string;
                    /** @constant */
                    type: "content.entry.deleted";
                    /** Format: uuid */
                    tenant_id: string;
                    data: {
                        entry: {
                            /** Format: uuid */
                            id: string;
                            type: string;
                            slug: string;
                            locale: string;
                            /** @enum {string} */
                            status: "draft" | "scheduled" | "published";
                            hasUnpublishedChanges: boolean;
                            revision: number;
                            publishedRevision: number | null;
                            publishedAt: string | null;
                            publishAt: string | null;
                            scheduleError?: string;
                            data: {
                                [key: string]: unknown;
                            };
                            /** Format: date-time */
                            createdAt: string;
                            /** Format: date-time */
                            updatedAt: string;
                            version: number;
                        };
                    };
                    /**
                     * Format: date-time
                     * @description The time of the attempt.
                     */
                    delivered_at: string;
                };
            };
        };
        responses: {
            /** @description Received. Any other status, or none within 10 s, is a failed attempt. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receive_media_uploaded: {
        parameters: {
            query?: never;
            header: {
                /** @description The event type. */
                "X-service-Event": components["parameters"]["X-service-Event"];
                /** @description The delivery's id: the same in every attempt. */
                "X-service-Delivery": components["parameters"]["X-service-Delivery"];
                /** @description `sha256=` and the HMAC-SHA256 of the body in hex; the key is the whole secret, with `whsec_`. */
                "X-service-Signature": components["parameters"]["X-service-Signature"];
                /** @description The same with the previous secret, during the overlap after a rotation. */
                "X-service-Signature-Previous"?: components["parameters"]["X-service-Signature-Previous"];
                /** @description The number of the attempt, from 1. */
                "X-service-Attempt": components["parameters"]["X-service-Attempt"];
                /** @description The event's id. */
                "X-service-Event-Id": components["parameters"]["X-service-Event-Id"];
                /** @description When the change was committed, ISO 8601. */
                "X-service-Event-Time": components["parameters"]["X-service-Event-Time"];
                /** @description The delivery's id, as Standard Webhooks names it. */
                "webhook-id": components["parameters"]["webhook-id"];
                /** @description The time of the attempt in seconds, as Standard Webhooks names it. */
                "webhook-timestamp": components["parameters"]["webhook-timestamp"];
                /** @description The signature of Standard Webhooks. */
                "webhook-signature": components["parameters"]["webhook-signature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": "0198c5a2-8000-7000-8000-000000000001",
                 *       "type": "media.uploaded",
                 *       "tenant_id": "0198c5a0-0000-7000-8000-000000000001",
                 *       "data": {
                 *         "media": {
                 *           "id": "0198c5b4-11d2-7e35-a6f7-4c5d6e7f8091",
                 *           "filename": "autumn.jpg",
                 *           "contentType": "image/jpeg",
                 *           "sizeBytes": 482113,
                 *           "sha256": "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
                 *           "status": "uploaded",
                 *           "width": null,
                 *           "height": null,
                 *           "url": "/v1/media/0198c5b4-11d2-7e35-a6f7-4c5d6e7f8091/file",
                 *           "variants": [],
                 *           "createdAt": "2026-08-20T09:30:00.000Z"
                 *         }
                 *       },
                 *       "delivered_at": "2026-08-20T09:30:00.500Z"
                 *     }
                 */
                "application/json": {
                    /**
                     * Format: uuid
                     * @description The delivery's id.
                     */
                    id: string;
                    /** @constant */
                    type: "media.uploaded";
                    /** Format: uuid */
                    tenant_id: string;
                    data: {
                        media: {
                            /** Format: uuid */
                            id: string;
                            filename: string;
                            contentType: string;
                            sizeBytes: number;
                            sha256: string;
                            /** @enum {string} */
                            status: "uploaded" | "processing" | "ready" | "failed";
                            failureReason?: string;
                            width: number | null;
                            height: number | null;
                            url: string;
                            variants: {
                                /** @enum {string} */
                                name: "thumbnail" | "medium" | "large";
                                width: number;
                                height: number;
                                contentType: string;
                                sizeBytes: number;
                                url: string;
                            }[];
                            /** Format: date-time */
                            createdAt: string;
                        };
                    };
                    /**
                     * Format: date-time
                     * @description The time of the attempt.
                     */
                    delivered_at: string;
                };
            };
        };
        responses: {
            /** @description Received. Any other status, or none within 10 s, is a failed attempt. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receive_media_processed: {
        parameters: {
            query?: never;
            header: {
                /** @description The event type. */
                "X-service-Event": components["parameters"]["X-service-Event"];
                /** @description The delivery's id: the same in every attempt. */
                "X-service-Delivery": components["parameters"]["X-service-Delivery"];
                /** @description `sha256=` and the HMAC-SHA256 of the body in hex; the key is the whole secret, with `whsec_`. */
                "X-service-Signature": components["parameters"]["X-service-Signature"];
                /** @description The same with the previous secret, during the overlap after a rotation. */
                "X-service-Signature-Previous"?: components["parameters"]["X-service-Signature-Previous"];
                /** @description The number of the attempt, from 1. */
                "X-service-Attempt": components["parameters"]["X-service-Attempt"];
                /** @description The event's id. */
                "X-service-Event-Id": components["parameters"]["X-service-Event-Id"];
                /** @description When the change was committed, ISO 8601. */
                "X-service-Event-Time": components["parameters"]["X-service-Event-Time"];
                /** @description The delivery's id, as Standard Webhooks names it. */
                "webhook-id": components["parameters"]["webhook-id"];
                /** @description The time of the attempt in seconds, as Standard Webhooks names it. */
                "webhook-timestamp": components["parameters"]["webhook-timestamp"];
                /** @description The signature of Standard Webhooks. */
                "webhook-signature": components["parameters"]["webhook-signature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": "0198c5a2-8000-7000-8000-000000000001",
                 *       "type": "media.processed",
                 *       "tenant_id": "0198c5a0-0000-7000-8000-000000000001",
                 *       "data": {
                 *         "media": {
                 *           "id": "0198c5b4-11d2-7e35-a6f7-4c5d6e7f8091",
                 *           "filename": "autumn.jpg",
                 *           "contentType": "image/jpeg",
                 *           "sizeBytes": 482113,
                 *           "sha256": "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
                 *           "status": "ready",
                 *           "width": 2400,
                 *           "height": 1600,
                 *           "url": "/v1/media/0198c5b4-11d2-7e35-a6f7-4c5d6e7f8091/file",
                 *           "variants": [
                 *             {
                 *               "name": "thumbnail",
                 *               "width": 320,
                 *               "height": 213,
                 *               "contentType": "image/webp",
                 *               "sizeBytes": 9412,
                 *               "url": "/v1/media/0198c5b4-11d2-7e35-a6f7-4c5d6e7f8091/file?variant=thumbnail"
                 *             },
                 *             {
                 *               "name": "medium",
                 *               "width": 960,
                 *               "height": 640,
                 *               "contentType": "image/webp",
                 *               "sizeBytes": 61806,
                 *               "url": "/v1/media/0198c5b4-11d2-7e35-a6f7-4c5d6e7f8091/file?variant=medium"
                 *             },
                 *             {
                 *               "name": "large",
                 *               "width": 1920,
                 *               "height": 1280,
                 *               "contentType": "image/webp",
                 *               "sizeBytes": 198254,
                 *               "url": "/v1/media/0198c5b4-11d2-7e35-a6f7-4c5d6e7f8091/file?variant=large"
                 *             }
                 *           ],
                 *           "createdAt": "2026-08-20T09:30:00.000Z"
                 *         }
                 *       },
                 *       "delivered_at": "2026-08-20T09:30:00.500Z"
                 *     }
                 */
                "application/json": {
                    /**
                     * Format: uuid
                     * @description The delivery's id.
                     */
                    id: string;
                    /** @constant */
                    type: "media.processed";
                    /** Format: uuid */
                    tenant_id: string;
                    data: {
                        media: {
                            /** Format: uuid */
                            id: string;
                            filename: string;
                            contentType: string;
                            sizeBytes: number;
                            sha256: string;
                            /** @enum {string} */
                            status: "uploaded" | "processing" | "ready" | "failed";
                            failureReason?: string;
                            width: number | null;
                            height: number | null;
                            url: string;
                            variants: {
                                /** @enum {string} */
                                name: "thumbnail" | "medium" | "large";
                                width: number;
                                height: number;
                                contentType: string;
                                sizeBytes: number;
                                url: string;
                            }[];
                            /** Format: date-time */
                            createdAt: string;
                        };
                    };
                    /**
                     * Format: date-time
                     * @description The time of the attempt.
                     */
                    delivered_at: string;
                };
            };
        };
        responses: {
            /** @description Received. Any other status, or none within 10 s, is a failed attempt. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receive_redirect_added: {
        parameters: {
            query?: never;
            header: {
                /** @description The event type. */
                "X-service-Event": components["parameters"]["X-service-Event"];
                /** @description The delivery's id: the same in every attempt. */
                "X-service-Delivery": components["parameters"]["X-service-Delivery"];
                /** @description `sha256=` and the HMAC-SHA256 of the body in hex; the key is the whole secret, with `whsec_`. */
                "X-service-Signature": components["parameters"]["X-service-Signature"];
                /** @description The same with the previous secret, during the overlap after a rotation. */
                "X-service-Signature-Previous"?: components["parameters"]["X-service-Signature-Previous"];
                /** @description The number of the attempt, from 1. */
                "X-service-Attempt": components["parameters"]["X-service-Attempt"];
                /** @description The event's id. */
                "X-service-Event-Id": components["parameters"]["X-service-Event-Id"];
                /** @description When the change was committed, ISO 8601. */
                "X-service-Event-Time": components["parameters"]["X-service-Event-Time"];
                /** @description The delivery's id, as Standard Webhooks names it. */
                "webhook-id": components["parameters"]["webhook-id"];
                /** @description The time of the attempt in seconds, as Standard Webhooks names it. */
                "webhook-timestamp": components["parameters"]["webhook-timestamp"];
                /** @description The signature of Standard Webhooks. */
                "webhook-signature": components["parameters"]["webhook-signature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": "0198c5a2-8000-7000-8000-000000000001",
                 *       "type": "redirect.added",
                 *       "tenant_id": "0198c5a0-0000-7000-8000-000000000001",
                 *       "data": {
                 *         "redirect": {
                 *           "id": "0198c5b3-2f4a-7d21-8c5e-0a1b2c3d4e5f",
                 *           "from": "/old-shop",
                 *           "to": "/shop",
                 *           "type": 301,
                 *           "createdAt": "2026-08-20T09:30:00.000Z"
                 *         }
                 *       },
                 *       "delivered_at": "2026-08-20T09:30:00.500Z"
                 *     }
                 */
                "application/json": {
                    /**
                     * Format: uuid
                     * @description The delivery's id.
                     */
                    id: string;
                    /** @constant */
                    type: "redirect.added";
                    /** Format: uuid */
                    tenant_id: string;
                    data: {
                        redirect: {
                            /** Format: uuid */
                            id: string;
                            from: string;
                            to: string;
                            type: 301 | 302 | 307 | 308;
                            /** Format: date-time */
                            createdAt: string;
                        };
                    };
                    /**
                     * Format: date-time
                     * @description The time of the attempt.
                     */
                    delivered_at: string;
                };
            };
        };
        responses: {
            /** @description Received. Any other status, or none within 10 s, is a failed attempt. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receive_redirect_removed: {
        parameters: {
            query?: never;
            header: {
                /** @description The event type. */
                "X-service-Event": components["parameters"]["X-service-Event"];
                /** @description The delivery's id: the same in every attempt. */
                "X-service-Delivery": components["parameters"]["X-service-Delivery"];
                /** @description `sha256=` and the HMAC-SHA256 of the body in hex; the key is the whole secret, with `whsec_`. */
                "X-service-Signature": components["parameters"]["X-service-Signature"];
                /** @description The same with the previous secret, during the overlap after a rotation. */
                "X-service-Signature-Previous"?: components["parameters"]["X-service-Signature-Previous"];
                /** @description The number of the attempt, from 1. */
                "X-service-Attempt": components["parameters"]["X-service-Attempt"];
                /** @description The event's id. */
                "X-service-Event-Id": components["parameters"]["X-service-Event-Id"];
                /** @description When the change was committed, ISO 8601. */
                "X-service-Event-Time": components["parameters"]["X-service-Event-Time"];
                /** @description The delivery's id, as Standard Webhooks names it. */
                "webhook-id": components["parameters"]["webhook-id"];
                /** @description The time of the attempt in seconds, as Standard Webhooks names it. */
                "webhook-timestamp": components["parameters"]["webhook-timestamp"];
                /** @description The signature of Standard Webhooks. */
                "webhook-signature": components["parameters"]["webhook-signature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": "0198c5a2-8000-7000-8000-000000000001",
                 *       "type": "redirect.removed",
                 *       "tenant_id": "0198c5a0-0000-7000-8000-000000000001",
                 *       "data": {
                 *         "redirect": {
                 *           "id": "0198c5b3-2f4a-7d21-8c5e-0a1b2c3d4e5f",
                 *           "from": "/old-shop",
                 *           "to": "/shop",
                 *           "type": 301,
                 *           "createdAt": "2026-08-20T09:30:00.000Z"
                 *         }
                 *       },
                 *       "delivered_at": "2026-08-20T09:30:00.500Z"
                 *     }
                 */
                "application/json": {
                    /**
                     * Format: uuid
                     * @description The delivery's id.
                     */
                    id: string;
                    /** @constant */
                    type: "redirect.removed";
                    /** Format: uuid */
                    tenant_id: string;
                    data: {
                        redirect: {
                            /** Format: uuid */
                            id: string;
                            from: string;
                            to: string;
                            type: 301 | 302 | 307 | 308;
                            /** Format: date-time */
                            createdAt: string;
                        };
                    };
                    /**
                     * Format: date-time
                     * @description The time of the attempt.
                     */
                    delivered_at: string;
                };
            };
        };
        responses: {
            /** @description Received. Any other status, or none within 10 s, is a failed attempt. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
}
