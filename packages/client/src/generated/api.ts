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
    "/v1/auth/login": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Sign in
         * @description Sets two cookies: `tradepost_refresh`, with which a browser gets its next token, and `tradepost_device`, which exempts a browser that
         *     has signed in as this user before from one of the limits; over https their names begin with `__Secure-`. A wrong e-mail, a wrong password and an inactive user are the same 401.
         *
         *     Failures are limited: past 5 a minute for one e-mail from one address, 30 a minute from one address, or 100 an hour for one e-mail,
         *     every attempt is 429.
         *
         *     Needs no authentication.
         */
        post: operations["login"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/auth/refresh": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Get the next dashboard token
         * @description Needs the cookie `tradepost_refresh`, and replaces it. A refresh secret that is used a second time ends the session. Without a session
         *     the response is 401, and the cookie is cleared.
         *
         *     Needs no authentication.
         */
        post: operations["refreshToken"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/auth/logout": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Sign out
         * @description Ends the session of the cookie `tradepost_refresh` and clears the cookie. Its tokens are refused from the next request on. The response is
         *     the same if there is no session.
         *
         *     Needs no authentication.
         */
        post: operations["logout"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/auth/setup": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Set a password with a set-up link
         * @description Uses the link up and ends the user's sessions; then the user signs in. A token that was used, has expired or is unknown is 401. A
         *     password that is refused does not use the link up. An e-mail that a user of another tenant has confirmed first is 409 `email_taken`.
         *
         *     Needs no authentication.
         */
        post: operations["setUpPassword"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/me": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the caller and the caller's tenant
         * @description Needs the role `viewer` or a higher one.
         */
        get: operations["getMe"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/me/password": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Change the caller's password
         * @description Ends all other sessions of the user. A wrong current password is 422 on `currentPassword`, and such failures are limited like sign-ins.
         *
         *     Needs a dashboard token and the role `viewer` or a higher one.
         */
        post: operations["changeMyPassword"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/me/sessions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the caller's open sessions
         * @description The newest come first.
         *
         *     Needs a dashboard token and the role `viewer` or a higher one.
         */
        get: operations["listMySessions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/me/sessions/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * End a session of the caller
         * @description Its tokens are refused from the next request on.
         *
         *     Needs a dashboard token and the role `viewer` or a higher one.
         */
        delete: operations["endMySession"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/api-keys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List API keys
         * @description The newest come first; revoked and expired keys too.
         *
         *     Needs a dashboard token and the role `admin` or a higher one.
         */
        get: operations["listApiKeys"];
        put?: never;
        /**
         * Create an API key
         * @description A key has the role `editor`, narrowed by its scopes.
         *
         *     Needs a dashboard token and the role `admin` or a higher one.
         */
        post: operations["createApiKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/api-keys/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get an API key
         * @description Needs a dashboard token and the role `admin` or a higher one.
         */
        get: operations["getApiKey"];
        put?: never;
        post?: never;
        /**
         * Revoke an API key
         * @description The key is refused from the next request on. Revoking it again changes nothing and is 200.
         *
         *     Needs a dashboard token and the role `admin` or a higher one.
         */
        delete: operations["revokeApiKey"];
        options?: never;
        head?: never;
        /**
         * Change the label or the expiry of an API key
         * @description An expiry can only be set or brought forward: a later one, or `null` for a key that has one, is 422.
         *
         *     Needs a dashboard token and the role `admin` or a higher one.
         */
        patch: operations["updateApiKey"];
        trace?: never;
    };
    "/v1/api-keys/{id}/rotate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Replace an API key by a new one
         * @description The new key has the same label and scopes. The old one works until the overlap ends and then expires; it never expires later than it
         *     would have without the rotation. An expired key is 409 `conflict`, and one that has been rotated and has not expired is 409
         *     `rotation_in_progress`. With 100 live keys, a rotation needs `overlapHours: 0`.
         *
         *     Needs a dashboard token and the role `admin` or a higher one.
         */
        post: operations["rotateApiKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/users": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List staff users
         * @description The newest come first.
         *
         *     Needs a dashboard token and the role `admin` or a higher one.
         */
        get: operations["listUsers"];
        put?: never;
        /**
         * Create a staff user
         * @description Without a password the response has a set-up link, `setup`, to pass on to the user. Only an owner may create, change or delete an owner. An e-mail that a user of any tenant
         *     has confirmed, or that the tenant has added, is 409 `email_taken`; after 10 of these in an hour the response is 429.
         *
         *     Needs a dashboard token and the role `admin` or a higher one.
         */
        post: operations["createUser"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/users/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Delete a staff user
         * @description Also ends the user's sessions. The audit log keeps what the user did. Only an owner may create, change or delete an owner. The last active owner is 409 `last_owner`.
         *
         *     Needs a dashboard token and the role `admin` or a higher one.
         */
        delete: operations["deleteUser"];
        options?: never;
        head?: never;
        /**
         * Change a staff user
         * @description A new role holds from the user's next request on; a new password ends the user's sessions. Only an owner may create, change or delete an owner. Only an owner may set the password of an
         *     admin or an owner. A change that would leave the tenant without an active owner is 409 `last_owner`.
         *
         *     Needs a dashboard token and the role `admin` or a higher one.
         */
        patch: operations["updateUser"];
        trace?: never;
    };
    "/v1/users/{id}/setup-link": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Make a set-up link for a staff user
         * @description For a user who has no password yet, or forgot it. A later link ends the earlier one. An inactive user is 409 `conflict`. Only an owner may
         *     make a link for an owner.
         *
         *     Needs a dashboard token and the role `admin` or a higher one.
         */
        post: operations["createSetupLink"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/users/{id}/sessions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the open sessions of a staff user
         * @description The newest come first. Only an owner may see the sessions of an owner.
         *
         *     Needs a dashboard token and the role `admin` or a higher one.
         */
        get: operations["listUserSessions"];
        put?: never;
        post?: never;
        /**
         * End all sessions of a staff user
         * @description Their tokens are refused from the next request on. Only an owner may end the sessions of an owner.
         *
         *     Needs a dashboard token and the role `admin` or a higher one.
         */
        delete: operations["endUserSessions"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/modules": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the modules
         * @description All of them; the list has no pages.
         *
         *     Needs the role `viewer` or a higher one.
         */
        get: operations["listModules"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/modules/{name}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Activate or deactivate a module
         * @description Holds from the next request on. The routes of a module that is not active are 403.
         *
         *     Needs a dashboard token and the role `owner`.
         */
        put: operations["setModule"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/audit-log": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the entries of the audit log
         * @description The newest come first. Several filters together select the entries that match all of them.
         *
         *     Needs a dashboard token and the role `admin` or a higher one.
         */
        get: operations["listAuditLog"];
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
         * List orders
         * @description The newest come first. Several filters together select the orders that match all of them.
         *
         *     Use the change feed to find new or changed orders: an order that is committed late has an earlier time than others that the list has shown
         *     already.
         *
         *     Needs the role `viewer` or a higher one, for an API key the scope `read:crm` and the module `crm`.
         */
        get: operations["listOrders"];
        put?: never;
        /**
         * Place an order
         * @description The order, its number and its event are written together or not at all. The platform computes the totals; amounts have at most
         *     as many decimals as the currency, and `unitPrice` has at most 4. A customer that the tenant does not have is 404; the one of the
         *     example is another shop's, so put in an id of `/v1/customers`.
         *
         *     `externalId` is the channel's own id of the order. A second order of the channel with the same one is 409 `order_exists`, for as
         *     long as the first one exists.
         *
         *     Needs the role `editor` or a higher one, for an API key the scope `write:crm` and the module `crm`.
         */
        post: operations["placeOrder"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/orders/bulk": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Import up to 100 orders
         * @description Each order succeeds or fails by itself, so the response is 200 also if every one of them has failed. The results are in the order of
         *     the request. An order at fault has the error that `POST /v1/orders` would respond with. Imports of one tenant follow one another; too many
         *     that wait are 429, or 503 if other tenants' imports take every slot.
         *
         *     Needs the role `editor` or a higher one, for an API key the scope `write:crm_bulk` and the module `crm`.
         */
        post: operations["importOrders"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/orders/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the change feed of orders
         * @description The events of the tenant's orders in the order of their commits, for as long as they are kept (30 days by default). A client that
         *     goes on with `nextCursor` misses none. A cursor older than the events that are kept is 410.
         *
         *     Needs the role `viewer` or a higher one, for an API key the scope `read:crm` and the module `crm`.
         */
        get: operations["listOrderEvents"];
        put?: never;
        post?: never;
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
        /**
         * Change the notes, metadata, addresses or parcel of an order
         * @description `null` removes a value; a field that is absent stays as it is. Addresses can change only while the order is placed, `trackingNumber` and
         *     `carrier` only once it is fulfilled. The change is in the timeline, and in the change feed as `order.updated`; no exchange carries
         *     it. A change that changes nothing leaves the version as it is.
         *
         *     Needs the role `editor` or a higher one, for an API key the scope `write:crm` and the module `crm`.
         */
        patch: operations["updateOrder"];
        trace?: never;
    };
    "/v1/orders/{id}/timeline": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the timeline of an order
         * @description Every change of the order, the newest first.
         *
         *     Needs the role `viewer` or a higher one, for an API key the scope `read:crm` and the module `crm`.
         */
        get: operations["getOrderTimeline"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/orders/{id}/payments": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the payments and refunds of an order
         * @description The newest come first.
         *
         *     Needs the role `viewer` or a higher one, for an API key the scope `read:crm` and the module `crm`.
         */
        get: operations["listPayments"];
        put?: never;
        /**
         * Record a payment of an order
         * @description Reports that a payment succeeded or failed; the platform does not move money. `amount` is the amount due by default, and a payment that
         *     succeeded must have exactly it. A failed payment never changes a paid order.
         *
         *     `reference` names the payment in the system that made it. A payment with the reference, status and amount of an earlier one changes
         *     nothing and is 200; another amount is 409 `reference_reused`.
         *
         *     Needs the role `editor` or a higher one, for an API key the scope `write:crm` and the module `crm`.
         */
        post: operations["recordPayment"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/orders/{id}/fulfill": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Fulfill an order
         * @description The order must be placed and not refunded. It need not be paid.
         *
         *     Needs the role `editor` or a higher one, for an API key the scope `write:crm` and the module `crm`.
         */
        post: operations["fulfillOrder"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/orders/{id}/deliver": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Mark an order as delivered
         * @description The order must be fulfilled.
         *
         *     Needs the role `editor` or a higher one, for an API key the scope `write:crm` and the module `crm`.
         */
        post: operations["deliverOrder"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/orders/{id}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Cancel an order
         * @description The order must be placed. One that holds money must be refunded first: 409 `refund_required`.
         *
         *     Needs the role `editor` or a higher one, for an API key the scope `write:crm` and the module `crm`.
         */
        post: operations["cancelOrder"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/orders/{id}/refund": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Refund an order
         * @description Reports a refund of a paid order; the platform does not move money. `amount` is all that is left by default. Several refunds may
         *     follow one another until nothing is left.
         *
         *     A refund with the `reference` and amount of an earlier one changes nothing and is 200; another amount is 409 `reference_reused`.
         *
         *     Needs the role `editor` or a higher one, for an API key the scope `write:crm` and the module `crm`.
         */
        post: operations["refundOrder"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/customers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List customers
         * @description The newest come first. Several filters together select the customers that match all of them.
         *
         *     Needs the role `viewer` or a higher one, for an API key the scope `read:crm` and the module `crm`.
         */
        get: operations["listCustomers"];
        put?: never;
        /**
         * Create a customer
         * @description Needs the role `editor` or a higher one, for an API key the scope `write:crm` and the module `crm`.
         */
        post: operations["createCustomer"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/customers/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the change feed of customers
         * @description Every creation and change of the tenant's customers, in the order of their commits, for as long as events are kept (30 days by
         *     default). A client that goes on with `nextCursor` misses none. A cursor older than the events that are kept is 410. No exchange
         *     and no webhook carries these events.
         *
         *     Needs the role `viewer` or a higher one, for an API key the scope `read:crm` and the module `crm`.
         */
        get: operations["listCustomerEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/customers/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a customer
         * @description Needs the role `viewer` or a higher one, for an API key the scope `read:crm` and the module `crm`.
         */
        get: operations["getCustomer"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Change a customer
         * @description `null` removes a value; a field that is absent stays as it is. A change that changes nothing leaves the version as it is.
         *
         *     Needs the role `editor` or a higher one, for an API key the scope `write:crm` and the module `crm`.
         */
        patch: operations["updateCustomer"];
        trace?: never;
    };
    "/v1/customers/by-external-id/{externalId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Create or replace a customer by its external id
         * @description Creates the customer (201), or gives the one that has the external id the values of the body (200): a field that is left out or
         *     `null` has no value afterwards. With `If-Match`, a request that would create a customer is 412.
         *
         *     Needs the role `editor` or a higher one, for an API key the scope `write:crm` and the module `crm`.
         */
        put: operations["putCustomerByExternalId"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/redirects": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List redirects, newest first
         * @description Needs the role `viewer` or a higher one, for an API key the scope `read:content` and the module `content`.
         */
        get: operations["listRedirects"];
        put?: never;
        /**
         * Create a redirect
         * @description A redirect that leads back to its own path, directly or through others, is refused, and so is one that leads over more than 1,000 others. Each path has one redirect.
         *
         *     Needs the role `editor` or a higher one, for an API key the scope `write:content` and the module `content`.
         */
        post: operations["createRedirect"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/redirects/resolve": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Find the redirect from a path
         * @description One lookup, for the server of the site. It does not follow a chain of redirects.
         *
         *     Needs the role `viewer` or a higher one, for an API key the scope `read:content` and the module `content`.
         */
        get: operations["resolveRedirect"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/redirects/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a redirect
         * @description Needs the role `viewer` or a higher one, for an API key the scope `read:content` and the module `content`.
         */
        get: operations["getRedirect"];
        put?: never;
        post?: never;
        /**
         * Delete a redirect
         * @description Needs the role `editor` or a higher one, for an API key the scope `write:content` and the module `content`.
         */
        delete: operations["deleteRedirect"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/content-types/{slug}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a content type
         * @description Needs the role `viewer` or a higher one, for an API key the scope `read:content` and the module `content`.
         */
        get: operations["getContentType"];
        /**
         * Create a content type or change its fields
         * @description 201 if the slug is new. A change that would make an existing entry invalid is refused. A PUT that changes nothing leaves the version and emits no event. With `If-Match` it only changes a type: if there is none with this slug, it is 412.
         *
         *     Needs a dashboard token, the role `admin` or a higher one and the module `content`.
         */
        put: operations["putContentType"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/content-types": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List content types, newest first
         * @description Needs the role `viewer` or a higher one, for an API key the scope `read:content` and the module `content`.
         */
        get: operations["listContentTypes"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/entries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List entries, newest first
         * @description Shows the latest revision of each entry or, with `version=published`, only live entries with their live slug and data.
         *
         *     Needs the role `viewer` or a higher one, for an API key the scope `read:content` and the module `content`.
         */
        get: operations["listEntries"];
        put?: never;
        /**
         * Create an entry as a draft
         * @description `data` may hold only fields of the content type, each with a value of its type; a draft may lack required ones. If `slug` is left out, it is made from the first text field. `conflict`: another entry of this type and locale has the slug.
         *
         *     Needs the role `editor` or a higher one, for an API key the scope `write:content` and the module `content`.
         */
        post: operations["createEntry"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/entries/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get an entry
         * @description Needs the role `viewer` or a higher one, for an API key the scope `read:content` and the module `content`.
         */
        get: operations["getEntry"];
        put?: never;
        post?: never;
        /**
         * Delete an entry with its revisions
         * @description A live entry is unpublished first.
         *
         *     Needs the role `editor` or a higher one, for an API key the scope `write:content` and the module `content`.
         */
        delete: operations["deleteEntry"];
        options?: never;
        head?: never;
        /**
         * Change an entry's draft
         * @description `data` is merged: a field that is named changes, and `null` removes it. Adds a revision if anything changes, and never publishes it. `conflict`: another entry of this type and locale has the slug.
         *
         *     Needs the role `editor` or a higher one, for an API key the scope `write:content` and the module `content`.
         */
        patch: operations["updateEntry"];
        trace?: never;
    };
    "/v1/entries/{id}/publish": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Publish the latest revision
         * @description Any schedule ends. 422 names every required field that is missing, and every media asset and entry that does not exist, at `data.<key>`. When the path of a live entry changes, a redirect from the old path is added, and redirects that led there are changed. A revision that is live already changes nothing.
         *
         *     Needs the role `editor` or a higher one, for an API key the scope `write:content` and the module `content`.
         */
        post: operations["publishEntry"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/entries/{id}/schedule": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Publish the latest revision at a later time
         * @description The revision that is the latest now goes live then, whatever is written until then, within 2 s of its time. It must be valid for publication now. `invalid_transition`: it is live already.
         *
         *     Needs the role `editor` or a higher one, for an API key the scope `write:content` and the module `content`.
         */
        post: operations["scheduleEntry"];
        /**
         * Cancel an entry's schedule
         * @description A live revision stays live. `invalid_transition`: nothing is scheduled.
         *
         *     Needs the role `editor` or a higher one, for an API key the scope `write:content` and the module `content`.
         */
        delete: operations["unscheduleEntry"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/entries/{id}/unpublish": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Take a live entry down
         * @description It is a draft again, and any schedule ends. `invalid_transition`: it is not live.
         *
         *     Needs the role `editor` or a higher one, for an API key the scope `write:content` and the module `content`.
         */
        post: operations["unpublishEntry"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/entries/{id}/revisions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the revisions of an entry, newest first
         * @description Needs the role `viewer` or a higher one, for an API key the scope `read:content` and the module `content`.
         */
        get: operations["listRevisions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/entries/{id}/revisions/{n}/restore": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Restore an old revision
         * @description Its slug and data become a new revision; it is not published. `conflict`: its content type no longer allows them, or another entry has the slug.
         *
         *     Needs the role `editor` or a higher one, for an API key the scope `write:content` and the module `content`.
         */
        post: operations["restoreRevision"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/content/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the change feed of content
         * @description Lists every event of entries, content types, media and redirects, in an order in which a reader misses nothing. An event may be read again. Events are kept for 30 days unless the operator has set another time; an older cursor is 410 `cursor_expired`.
         *
         *     Needs the role `viewer` or a higher one, for an API key the scope `read:content` and the module `content`.
         */
        get: operations["listContentEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/media": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List media assets, newest first
         * @description Needs the role `viewer` or a higher one, for an API key the scope `read:content` and the module `content`.
         */
        get: operations["listMedia"];
        put?: never;
        /**
         * Upload a file
         * @description The media type is told by the file's bytes, not by its name. From a JPEG, PNG, APNG, WebP, GIF, AVIF or TIFF image three smaller WebP variants are made: `media.processed` says when, and `status` is then `ready` or `failed`.
         *
         *     Needs the role `editor` or a higher one, for an API key the scope `write:content` and the module `content`.
         */
        post: operations["uploadMedia"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/media/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a media asset
         * @description Without its bytes, which `getMediaFile` has.
         *
         *     Needs the role `viewer` or a higher one, for an API key the scope `read:content` and the module `content`.
         */
        get: operations["getMedia"];
        put?: never;
        post?: never;
        /**
         * Delete a media asset with its files
         * @description Needs the role `editor` or a higher one, for an API key the scope `write:content` and the module `content`.
         */
        delete: operations["deleteMedia"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/media/{id}/file": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Download a file or one of its variants
         * @description The file at this address never changes. 404 also while an image's variants are not made yet.
         *
         *     Needs the role `viewer` or a higher one, for an API key the scope `read:content` and the module `content`.
         */
        get: operations["getMediaFile"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/media/{id}/links": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Make a signed link to a file
         * @description Whoever has the link can read the file without a credential until it expires, as an `<img src>` does. `endMediaLinks` ends all links of a file.
         *
         *     Needs the role `editor` or a higher one, for an API key the scope `read:content` and the module `content`.
         */
        post: operations["createMediaLink"];
        /**
         * End all links to a file
         * @description They are 404 from then on. Links that are made later work.
         *
         *     Needs the role `editor` or a higher one, for an API key the scope `write:content` and the module `content`.
         */
        delete: operations["endMediaLinks"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/media/{id}/links/file": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Download the file of a signed link
         * @description For everyone who has the link that `createMediaLink` made. 404 once it has expired or was ended, or if a character of it has changed.
         *
         *     Needs no authentication.
         */
        get: operations["getLinkedFile"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhooks/subscriptions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List subscriptions, newest first
         * @description Needs the role `viewer` or a higher one, for an API key the scope `read:content` and the module `content`.
         */
        get: operations["listSubscriptions"];
        put?: never;
        /**
         * Create a subscription
         * @description The response has the signing secret, which no later one shows. A tenant has at most 50 subscriptions.
         *
         *     Needs a dashboard token and the role `admin` or a higher one.
         */
        post: operations["createSubscription"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhooks/subscriptions/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a subscription
         * @description `If-None-Match` is ignored, because `health` changes without the version.
         *
         *     Needs the role `viewer` or a higher one, for an API key the scope `read:content` and the module `content`.
         */
        get: operations["getSubscription"];
        put?: never;
        post?: never;
        /**
         * Delete a subscription
         * @description Its open deliveries are cancelled; their log stays.
         *
         *     Needs a dashboard token and the role `admin` or a higher one.
         */
        delete: operations["deleteSubscription"];
        options?: never;
        head?: never;
        /**
         * Change, pause or resume a subscription
         * @description `active: false` pauses it: nothing is sent, and open and new deliveries are kept. `active: true` sends them, oldest first. `headers` replaces the whole set; a value of `•••` keeps the value that the header has, and null removes all. If `url` changes its scheme, host or port, the values must be sent again, or it is 422.
         *
         *     Needs a dashboard token and the role `admin` or a higher one.
         */
        patch: operations["updateSubscription"];
        trace?: never;
    };
    "/v1/webhooks/subscriptions/{id}/rotate-secret": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Replace the signing secret
         * @description Deliveries are signed with the previous secret too, until `previousSecretUntil`. While an earlier secret still signs, it is 409 `rotation_in_progress`, unless `force` is true: that ends it.
         *
         *     Needs a dashboard token and the role `admin` or a higher one.
         */
        post: operations["rotateSubscriptionSecret"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhooks/subscriptions/{id}/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send an example event
         * @description To this subscription only, with `data.test: true`. The subscription need not subscribe to the type.
         *
         *     Needs a dashboard token and the role `admin` or a higher one.
         */
        post: operations["sendTestDelivery"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhooks/subscriptions/{id}/recover": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send failed deliveries again
         * @description Restarts the deliveries that failed at or after `since` and before `until`, each once, after the receiver has been repaired.
         *
         *     Needs a dashboard token and the role `admin` or a higher one.
         */
        post: operations["recoverDeliveries"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhooks/recoveries/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a recovery
         * @description Needs the role `viewer` or a higher one, for an API key the scope `read:content` and the module `content`.
         */
        get: operations["getRecovery"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhooks/deliveries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List deliveries, newest first
         * @description A request searches at most 10,000 deliveries for `type`, for `status` and for the results of the latest attempt: a page may have fewer deliveries than `limit`, even none, while `nextCursor` is not null.
         *
         *     Needs the role `viewer` or a higher one, for an API key the scope `read:content` and the module `content`.
         */
        get: operations["listDeliveries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhooks/deliveries/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a delivery with its attempts
         * @description Needs the role `viewer` or a higher one, for an API key the scope `read:content` and the module `content`.
         */
        get: operations["getDelivery"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhooks/deliveries/{id}/redeliver": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Deliver again
         * @description The same delivery with a new set of attempts, whatever its status. `conflict`: its subscription has been deleted.
         *
         *     Needs a dashboard token and the role `admin` or a higher one.
         */
        post: operations["redeliver"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhooks/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the events that could be subscribed to, newest first
         * @description Whether or not a subscription matched them. A search by `type` or time ends after 10,000 events: a page may have fewer events than `limit`, even none, while `nextCursor` is not null.
         *
         *     Needs the role `viewer` or a higher one, for an API key the scope `read:content` and the module `content`.
         */
        get: operations["listWebhookEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhooks/events/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get an event with its data and its subscriptions
         * @description `subscriptions` says why each of them has a delivery of the event, or has none.
         *
         *     Needs the role `viewer` or a higher one, for an API key the scope `read:content` and the module `content`.
         */
        get: operations["getWebhookEvent"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhooks/event-types": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the event types that a subscription may name
         * @description All of them on one page.
         *
         *     Needs the role `viewer` or a higher one, for an API key the scope `read:content` and the module `content`.
         */
        get: operations["listEventTypes"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhooks/listeners": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List listeners, newest first
         * @description Needs the role `viewer` or a higher one, for an API key the scope `read:content` and the module `content`.
         */
        get: operations["listListeners"];
        put?: never;
        /**
         * Create a listener
         * @description Only this response shows the signing secret.
         *
         *     Needs the role `editor` or a higher one, for an API key the scope `read:content` and the module `content`.
         */
        post: operations["createListener"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhooks/listeners/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a listener
         * @description Needs the role `viewer` or a higher one, for an API key the scope `read:content` and the module `content`.
         */
        get: operations["getListener"];
        put?: never;
        post?: never;
        /**
         * Delete a listener
         * @description Its open deliveries are cancelled; their log remains.
         *
         *     Needs the role `editor` or a higher one and for an API key the scope `read:content`.
         */
        delete: operations["deleteListener"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhooks/listeners/{id}/lease": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Lease the deliveries that are due, oldest first
         * @description Waits up to `waitSeconds` for the first one. A lease lasts 30 seconds; afterwards the delivery can be leased again as the same attempt. Each lease moves the listener's `expiresAt`.
         *
         *     Needs the role `editor` or a higher one, for an API key the scope `read:content` and the module `content`.
         */
        post: operations["leaseDeliveries"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhooks/listeners/{id}/deliveries/{deliveryId}/result": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Report the result of an attempt at a leased delivery
         * @description A status from 200 to 299 acknowledges the delivery; anything else fails the attempt. The same result again changes nothing.
         *
         *     Needs the role `editor` or a higher one and for an API key the scope `read:content`.
         */
        post: operations["reportResult"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhooks/listeners/{id}/deliveries/{deliveryId}/redeliver": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Redeliver a delivery of a listener
         * @description It can be leased again, from attempt 1 of the next round.
         *
         *     Needs the role `editor` or a higher one, for an API key the scope `read:content` and the module `content`.
         */
        post: operations["redeliverToListener"];
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
        /**
         * A content entry is created
         * @description Sent to the `url` of each subscription to this type, with the subscription's own `headers` beside those below. A
         *     listener gets the same request from its lease.
         *
         *     Verify a signature over the bytes of the body as they arrived, then process each `id` once: a delivery may arrive more than
         *     once, and the order is not promised. Ignore fields that you do not know.
         */
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
        /**
         * An entry's fields change
         * @description Sent to the `url` of each subscription to this type, with the subscription's own `headers` beside those below. A
         *     listener gets the same request from its lease.
         *
         *     Verify a signature over the bytes of the body as they arrived, then process each `id` once: a delivery may arrive more than
         *     once, and the order is not promised. Ignore fields that you do not know.
         */
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
        /**
         * An entry goes live
         * @description Sent to the `url` of each subscription to this type, with the subscription's own `headers` beside those below. A
         *     listener gets the same request from its lease.
         *
         *     Verify a signature over the bytes of the body as they arrived, then process each `id` once: a delivery may arrive more than
         *     once, and the order is not promised. Ignore fields that you do not know.
         */
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
        /**
         * An entry is scheduled to publish later
         * @description Sent to the `url` of each subscription to this type, with the subscription's own `headers` beside those below. A
         *     listener gets the same request from its lease.
         *
         *     Verify a signature over the bytes of the body as they arrived, then process each `id` once: a delivery may arrive more than
         *     once, and the order is not promised. Ignore fields that you do not know.
         */
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
        /**
         * A live entry is taken down
         * @description Sent to the `url` of each subscription to this type, with the subscription's own `headers` beside those below. A
         *     listener gets the same request from its lease.
         *
         *     Verify a signature over the bytes of the body as they arrived, then process each `id` once: a delivery may arrive more than
         *     once, and the order is not promised. Ignore fields that you do not know.
         */
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
        /**
         * An entry is deleted
         * @description Sent to the `url` of each subscription to this type, with the subscription's own `headers` beside those below. A
         *     listener gets the same request from its lease.
         *
         *     Verify a signature over the bytes of the body as they arrived, then process each `id` once: a delivery may arrive more than
         *     once, and the order is not promised. Ignore fields that you do not know.
         */
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
        /**
         * A media asset is uploaded
         * @description Sent to the `url` of each subscription to this type, with the subscription's own `headers` beside those below. A
         *     listener gets the same request from its lease.
         *
         *     Verify a signature over the bytes of the body as they arrived, then process each `id` once: a delivery may arrive more than
         *     once, and the order is not promised. Ignore fields that you do not know.
         */
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
        /**
         * Derivatives of an asset finish processing
         * @description Sent to the `url` of each subscription to this type, with the subscription's own `headers` beside those below. A
         *     listener gets the same request from its lease.
         *
         *     Verify a signature over the bytes of the body as they arrived, then process each `id` once: a delivery may arrive more than
         *     once, and the order is not promised. Ignore fields that you do not know.
         */
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
        /**
         * A URL redirect is created
         * @description Sent to the `url` of each subscription to this type, with the subscription's own `headers` beside those below. A
         *     listener gets the same request from its lease.
         *
         *     Verify a signature over the bytes of the body as they arrived, then process each `id` once: a delivery may arrive more than
         *     once, and the order is not promised. Ignore fields that you do not know.
         */
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
        /**
         * A URL redirect is removed
         * @description Sent to the `url` of each subscription to this type, with the subscription's own `headers` beside those below. A
         *     listener gets the same request from its lease.
         *
         *     Verify a signature over the bytes of the body as they arrived, then process each `id` once: a delivery may arrive more than
         *     once, and the order is not promised. Ignore fields that you do not know.
         */
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
        /** @description Who caused it. */
        Actor: {
            /** @enum {string} */
            type: "api_key" | "user";
            id: string;
            /** @description The key's label or the user's name at that time. */
            name: string;
        };
        /** @description A postal address; other fields are kept as they were sent. */
        Address: {
            line1: string;
            city: string;
        } & {
            [key: string]: unknown;
        };
        /** @description An API key without its secret. */
        ApiKey: {
            /** Format: uuid */
            id: string;
            /** @description The part of the key that is not secret: `sk_live_<keyId>_…` */
            keyId: string;
            label: string;
            /** @description A `write` scope does not include the `read` scope */
            scopes: ("read:crm" | "write:crm" | "write:crm_bulk" | "read:content" | "write:content")[];
            /** @description Null for a key that does not expire */
            expiresAt: string | null;
            revokedAt: string | null;
            /** @description Written at most once a minute */
            lastUsedAt: string | null;
            /** Format: date-time */
            createdAt: string;
        };
        /** @description An attempt to deliver. */
        Attempt: {
            /** @description 1 at first; grows with each redelivery. */
            round: number;
            /** @description From 1 in each round: `X-service-Attempt`. */
            attempt: number;
            /** Format: date-time */
            at: string;
            /** @description In milliseconds. */
            durationMs: number;
            /**
             * @description `http_status`: a status outside 200 to 299.
             * @enum {string}
             */
            outcome: "delivered" | "http_status" | "timeout" | "dns_failed" | "connection_refused" | "connection_reset" | "tls_failed" | "address_refused" | "response_invalid" | "network_error";
            /** @description Null if there was no response. */
            statusCode: number | null;
            /** @description The first 2 KiB of the response, decoded if it is compressed. */
            responseBody: string | null;
        };
        /** @description Who changed what and when. Entries are never modified. */
        AuditEntry: {
            /** Format: uuid */
            id: string;
            /** Format: date-time */
            at: string;
            /** @description Who made the change; an operator acts with the command line of the platform */
            actor: {
                /** @enum {string} */
                type: "api_key" | "user" | "operator";
                id: string;
                name: string;
            };
            /** @description Such as `api_key.created` or `auth.login_failed` */
            action: string;
            target: {
                /** @description Such as `api_key`, `user` or `webhook_subscription` */
                type: string;
                id: string;
            };
            /** @description The changed fields, by their names in the API; never a secret */
            changes: {
                [key: string]: unknown;
            };
            /** @description The `X-Request-Id` of the request */
            requestId: string;
            /** @description Null for changes in services other than the gateway */
            ip: string | null;
            /** @description Null like `ip` */
            userAgent: string | null;
        };
        ContentEntryCreatedDetails: {
            /**
             * Format: uuid
             * @description `X-service-Event-Id`
             */
            id: string;
            /** @constant */
            type: "content.entry.created";
            /** @description The id of the redirect, entry or media asset. */
            resourceId: string | null;
            /**
             * Format: date-time
             * @description When it was committed.
             */
            occurredAt: string;
            /** @description The `X-Request-Id` of the request that caused it. */
            requestId: string;
            deliveries: {
                /**
                 * Format: uuid
                 * @description The same in every attempt: `X-service-Delivery`.
                 */
                id: string;
                /** Format: uuid */
                subscriptionId: string;
                /**
                 * @description `paused` while its subscription is paused; `cancelled` if that was deleted before it was delivered.
                 * @enum {string}
                 */
                status: "pending" | "retrying" | "paused" | "delivered" | "failed" | "cancelled";
            }[];
            data: {
                entry: components["schemas"]["Entry"];
                /**
                 * @description Only in an example event, which `sendTestDelivery` sends.
                 * @constant
                 */
                test?: true;
            };
            /** @description One for each subscription that exists now. */
            subscriptions: components["schemas"]["SubscriptionMatch"][];
        };
        ContentEntryCreatedEvent: {
            /**
             * Format: uuid
             * @description The same wherever the event is seen.
             */
            id: string;
            /** @constant */
            type: "content.entry.created";
            /**
             * Format: date-time
             * @description When it was committed.
             */
            occurredAt: string;
            /** @description The `X-Request-Id` of the request that caused it. */
            requestId: string;
            actor: components["schemas"]["Actor"];
            data: {
                entry: components["schemas"]["Entry"];
            };
        };
        ContentEntryDeletedDetails: {
            /**
             * Format: uuid
             * @description `X-service-Event-Id`
             */
            id: string;
            /** @constant */
            type: "content.entry.deleted";
            /** @description The id of the redirect, entry or media asset. */
            resourceId: string | null;
            /**
             * Format: date-time
             * @description When it was committed.
             */
            occurredAt: string;
            /** @description The `X-Request-Id` of the request that caused it. */
            requestId: string;
            deliveries: {
                /**
                 * Format: uuid
                 * @description The same in every attempt: `X-service-Delivery`.
                 */
                id: string;
                /** Format: uuid */
                subscriptionId: string;
                /**
                 * @description `paused` while its subscription is paused; `cancelled` if that was deleted before it was delivered.
                 * @enum {string}
                 */
                status: "pending" | "retrying" | "paused" | "delivered" | "failed" | "cancelled";
            }[];
            data: {
                entry: components["schemas"]["Entry"];
                /**
                 * @description Only in an example event, which `sendTestDelivery` sends.
                 * @constant
                 */
                test?: true;
            };
            /** @description One for each subscription that exists now. */
            subscriptions: components["schemas"]["SubscriptionMatch"][];
        };
        ContentEntryDeletedEvent: {
            /**
             * Format: uuid
             * @description The same wherever the event is seen.
             */
            id: string;
            /** @constant */
            type: "content.entry.deleted";
            /**
             * Format: date-time
             * @description When it was committed.
             */
            occurredAt: string;
            /** @description The `X-Request-Id` of the request that caused it. */
            requestId: string;
            actor: components["schemas"]["Actor"];
            data: {
                entry: components["schemas"]["Entry"];
            };
        };
        ContentEntryPublishedDetails: {
            /**
             * Format: uuid
             * @description `X-service-Event-Id`
             */
            id: string;
            /** @constant */
            type: "content.entry.published";
            /** @description The id of the redirect, entry or media asset. */
            resourceId: string | null;
            /**
             * Format: date-time
             * @description When it was committed.
             */
            occurredAt: string;
            /** @description The `X-Request-Id` of the request that caused it. */
            requestId: string;
            deliveries: {
                /**
                 * Format: uuid
                 * @description The same in every attempt: `X-service-Delivery`.
                 */
                id: string;
                /** Format: uuid */
                subscriptionId: string;
                /**
                 * @description `paused` while its subscription is paused; `cancelled` if that was deleted before it was delivered.
                 * @enum {string}
                 */
                status: "pending" | "retrying" | "paused" | "delivered" | "failed" | "cancelled";
            }[];
            data: {
                entry: components["schemas"]["Entry"];
                /**
                 * @description Only in an example event, which `sendTestDelivery` sends.
                 * @constant
                 */
                test?: true;
            };
            /** @description One for each subscription that exists now. */
            subscriptions: components["schemas"]["SubscriptionMatch"][];
        };
        ContentEntryPublishedEvent: {
            /**
             * Format: uuid
             * @description The same wherever the event is seen.
             */
            id: string;
            /** @constant */
            type: "content.entry.published";
            /**
             * Format: date-time
             * @description When it was committed.
             */
            occurredAt: string;
            /** @description The `X-Request-Id` of the request that caused it. */
            requestId: string;
            actor: components["schemas"]["Actor"];
            data: {
                entry: components["schemas"]["Entry"];
            };
        };
        ContentEntryScheduledDetails: {
            /**
             * Format: uuid
             * @description `X-service-Event-Id`
             */
            id: string;
            /** @constant */
            type: "content.entry.scheduled";
            /** @description The id of the redirect, entry or media asset. */
            resourceId: string | null;
            /**
             * Format: date-time
             * @description When it was committed.
             */
            occurredAt: string;
            /** @description The `X-Request-Id` of the request that caused it. */
            requestId: string;
            deliveries: {
                /**
                 * Format: uuid
                 * @description The same in every attempt: `X-service-Delivery`.
                 */
                id: string;
                /** Format: uuid */
                subscriptionId: string;
                /**
                 * @description `paused` while its subscription is paused; `cancelled` if that was deleted before it was delivered.
                 * @enum {string}
                 */
                status: "pending" | "retrying" | "paused" | "delivered" | "failed" | "cancelled";
            }[];
            data: {
                entry: components["schemas"]["Entry"];
                /**
                 * @description Only in an example event, which `sendTestDelivery` sends.
                 * @constant
                 */
                test?: true;
            };
            /** @description One for each subscription that exists now. */
            subscriptions: components["schemas"]["SubscriptionMatch"][];
        };
        ContentEntryScheduledEvent: {
            /**
             * Format: uuid
             * @description The same wherever the event is seen.
             */
            id: string;
            /** @constant */
            type: "content.entry.scheduled";
            /**
             * Format: date-time
             * @description When it was committed.
             */
            occurredAt: string;
            /** @description The `X-Request-Id` of the request that caused it. */
            requestId: string;
            actor: components["schemas"]["Actor"];
            data: {
                entry: components["schemas"]["Entry"];
            };
        };
        ContentEntryUnpublishedDetails: {
            /**
             * Format: uuid
             * @description `X-service-Event-Id`
             */
            id: string;
            /** @constant */
            type: "content.entry.unpublished";
            /** @description The id of the redirect, entry or media asset. */
            resourceId: string | null;
            /**
             * Format: date-time
             * @description When it was committed.
             */
            occurredAt: string;
            /** @description The `X-Request-Id` of the request that caused it. */
            requestId: string;
            deliveries: {
                /**
                 * Format: uuid
                 * @description The same in every attempt: `X-service-Delivery`.
                 */
                id: string;
                /** Format: uuid */
                subscriptionId: string;
                /**
                 * @description `paused` while its subscription is paused; `cancelled` if that was deleted before it was delivered.
                 * @enum {string}
                 */
                status: "pending" | "retrying" | "paused" | "delivered" | "failed" | "cancelled";
            }[];
            data: {
                entry: components["schemas"]["Entry"];
                /**
                 * @description Only in an example event, which `sendTestDelivery` sends.
                 * @constant
                 */
                test?: true;
            };
            /** @description One for each subscription that exists now. */
            subscriptions: components["schemas"]["SubscriptionMatch"][];
        };
        ContentEntryUnpublishedEvent: {
            /**
             * Format: uuid
             * @description The same wherever the event is seen.
             */
            id: string;
            /** @constant */
            type: "content.entry.unpublished";
            /**
             * Format: date-time
             * @description When it was committed.
             */
            occurredAt: string;
            /** @description The `X-Request-Id` of the request that caused it. */
            requestId: string;
            actor: components["schemas"]["Actor"];
            data: {
                entry: components["schemas"]["Entry"];
            };
        };
        ContentEntryUpdatedDetails: {
            /**
             * Format: uuid
             * @description `X-service-Event-Id`
             */
            id: string;
            /** @constant */
            type: "content.entry.updated";
            /** @description The id of the redirect, entry or media asset. */
            resourceId: string | null;
            /**
             * Format: date-time
             * @description When it was committed.
             */
            occurredAt: string;
            /** @description The `X-Request-Id` of the request that caused it. */
            requestId: string;
            deliveries: {
                /**
                 * Format: uuid
                 * @description The same in every attempt: `X-service-Delivery`.
                 */
                id: string;
                /** Format: uuid */
                subscriptionId: string;
                /**
                 * @description `paused` while its subscription is paused; `cancelled` if that was deleted before it was delivered.
                 * @enum {string}
                 */
                status: "pending" | "retrying" | "paused" | "delivered" | "failed" | "cancelled";
            }[];
            data: {
                entry: components["schemas"]["Entry"];
                /**
                 * @description Only in an example event, which `sendTestDelivery` sends.
                 * @constant
                 */
                test?: true;
            };
            /** @description One for each subscription that exists now. */
            subscriptions: components["schemas"]["SubscriptionMatch"][];
        };
        ContentEntryUpdatedEvent: {
            /**
             * Format: uuid
             * @description The same wherever the event is seen.
             */
            id: string;
            /** @constant */
            type: "content.entry.updated";
            /**
             * Format: date-time
             * @description When it was committed.
             */
            occurredAt: string;
            /** @description The `X-Request-Id` of the request that caused it. */
            requestId: string;
            actor: components["schemas"]["Actor"];
            data: {
                entry: components["schemas"]["Entry"];
            };
        };
        ContentRevisionCreatedEvent: {
            /**
             * Format: uuid
             * @description The same wherever the event is seen.
             */
            id: string;
            /** @constant */
            type: "content.revision.created";
            /**
             * Format: date-time
             * @description When it was committed.
             */
            occurredAt: string;
            /** @description The `X-Request-Id` of the request that caused it. */
            requestId: string;
            actor: components["schemas"]["Actor"];
            data: {
                revision: {
                    /** Format: uuid */
                    entryId: string;
                    revision: number;
                    slug: string;
                    /** @description The fields of the content type */
                    data: {
                        [key: string]: unknown;
                    };
                };
            };
        };
        /** @description A content type: the fields that its entries have. */
        ContentType: {
            slug: string;
            name: string;
            fields: {
                /** @description The field's name in an entry's `data`. */
                key: string;
                /**
                 * @description `media` and `reference` hold the id of a media asset or of an entry.
                 * @enum {string}
                 */
                type: "text" | "richtext" | "number" | "boolean" | "datetime" | "media" | "reference" | "json";
                /** @description Whether an entry needs it to go live; a draft may lack it. */
                required: boolean;
            }[];
            /** @description Grows with every change; the `ETag`. */
            version: number;
        };
        ContentTypeUpsertedEvent: {
            /**
             * Format: uuid
             * @description The same wherever the event is seen.
             */
            id: string;
            /** @constant */
            type: "content_type.upserted";
            /**
             * Format: date-time
             * @description When it was committed.
             */
            occurredAt: string;
            /** @description The `X-Request-Id` of the request that caused it. */
            requestId: string;
            actor: components["schemas"]["Actor"];
            data: {
                contentType: components["schemas"]["ContentType"];
            };
        };
        /** @description A customer. A field without a value is left out. */
        Customer: {
            /** Format: uuid */
            id: string;
            name: string;
            email?: string;
            phone?: string;
            /** @description The id that another system gave the customer; unique in the tenant */
            externalId?: string;
            /** @description As it was sent; the platform does not interpret it */
            metadata?: {
                [key: string]: unknown;
            };
            version: number;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
        };
        CustomerCreatedEvent: {
            /**
             * Format: uuid
             * @description The same wherever the event is seen.
             */
            id: string;
            /** @constant */
            type: "customer.created";
            /**
             * Format: date-time
             * @description When it was committed.
             */
            occurredAt: string;
            /** @description The `X-Request-Id` of the request that caused it. */
            requestId: string;
            actor: components["schemas"]["Actor"];
            data: {
                customer: components["schemas"]["Customer"];
            };
        };
        CustomerUpdatedEvent: {
            /**
             * Format: uuid
             * @description The same wherever the event is seen.
             */
            id: string;
            /** @constant */
            type: "customer.updated";
            /**
             * Format: date-time
             * @description When it was committed.
             */
            occurredAt: string;
            /** @description The `X-Request-Id` of the request that caused it. */
            requestId: string;
            actor: components["schemas"]["Actor"];
            data: {
                customer: components["schemas"]["Customer"];
            };
        };
        /** @description The resource is gone. */
        Deleted: {
            /** Format: uuid */
            id: string;
            /** @constant */
            deleted: true;
        };
        /** @description An event on its way to one subscription. */
        Delivery: {
            /**
             * Format: uuid
             * @description The same in every attempt: `X-service-Delivery`.
             */
            id: string;
            /** Format: uuid */
            subscriptionId: string;
            /** Format: uuid */
            eventId: string;
            type: components["schemas"]["SubscribableType"];
            /**
             * @description `paused` while its subscription is paused; `cancelled` if that was deleted before it was delivered.
             * @enum {string}
             */
            status: "pending" | "retrying" | "paused" | "delivered" | "failed" | "cancelled";
            /** @description Since the latest redelivery. */
            attemptCount: number;
            /** Format: date-time */
            createdAt: string;
            /** @description Null if none is planned. */
            nextAttemptAt: string | null;
            /** @description When it was delivered, failed or cancelled. */
            completedAt: string | null;
        };
        /** @description The latest attempt's request as it was sent. */
        DeliveryRequest: {
            /** @description Missing for a listener's delivery. */
            url?: string;
            /** @description Without the signatures. The values of the subscription's own headers are `•••`. */
            headers: {
                [key: string]: string;
            };
            /** @description The text whose bytes were sent. */
            body: string;
        };
        /** @description A delivery with all of its attempts. */
        DeliveryWithAttempts: {
            /**
             * Format: uuid
             * @description The same in every attempt: `X-service-Delivery`.
             */
            id: string;
            /** Format: uuid */
            subscriptionId: string;
            /** Format: uuid */
            eventId: string;
            type: components["schemas"]["SubscribableType"];
            /**
             * @description `paused` while its subscription is paused; `cancelled` if that was deleted before it was delivered.
             * @enum {string}
             */
            status: "pending" | "retrying" | "paused" | "delivered" | "failed" | "cancelled";
            /** @description Since the latest redelivery. */
            attemptCount: number;
            /** Format: date-time */
            createdAt: string;
            /** @description Null if none is planned. */
            nextAttemptAt: string | null;
            /** @description When it was delivered, failed or cancelled. */
            completedAt: string | null;
            /** @description Oldest first. */
            attempts: components["schemas"]["Attempt"][];
            /** @description Null before the first attempt. */
            request: components["schemas"]["DeliveryRequest"] | null;
        };
        /** @description How the latest attempts to deliver went. */
        EndpointHealth: {
            /**
             * @description `failing` after 5 failed attempts in a row, `healthy` again after one success.
             * @enum {string}
             */
            status: "healthy" | "failing";
            consecutiveFailures: number;
            lastSuccessAt: string | null;
            lastFailureAt: string | null;
            /** @description The outcome of the latest failed attempt, such as `timeout` or `http_status 500`. */
            lastError: string | null;
        };
        /** @description A content entry with one of its revisions. */
        Entry: {
            /** Format: uuid */
            id: string;
            /** @description The slug of its content type. */
            type: string;
            /** @description Of the revision that is shown. */
            slug: string;
            /** @description A language tag, such as `en` or `de-AT`. */
            locale: string;
            /**
             * @description `scheduled` also for a live entry with a revision that goes live later.
             * @enum {string}
             */
            status: "draft" | "scheduled" | "published";
            /** @description Whether the latest revision is not the live one. */
            hasUnpublishedChanges: boolean;
            /** @description The number of the revision that is shown. */
            revision: number;
            /** @description The number of the live revision; null if none is live. */
            publishedRevision: number | null;
            /** @description When the live revision went live; null if none is live. */
            publishedAt: string | null;
            /** @description When the scheduled revision goes live. */
            publishAt: string | null;
            /** @description Why the entry could not be published on time; it is tried again every minute. */
            scheduleError?: string;
            /** @description The fields of the content type, as the revision that is shown has them. */
            data: {
                [key: string]: unknown;
            };
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
            /** @description Grows with every change, a publication too; the entry's `ETag`, whichever revision is shown. */
            version: number;
        };
        /** @description An event type that a subscription may name. */
        EventType: {
            type: components["schemas"]["SubscribableType"];
            /** @description When it is emitted. */
            description: string;
            /** @description The JSON Schema of `data`. */
            schema: {
                [key: string]: unknown;
            };
            /** @description An example of `data`. */
            example: {
                [key: string]: unknown;
            };
        };
        FeedPage: {
            /** @description The `after` of the next request; also given if there is no event. */
            nextCursor: string;
            /** @description Whether more events can be read at once. */
            hasMore: boolean;
        };
        /** @description Every field at fault. */
        FieldFaults: {
            path: string;
            message: string;
        }[];
        /** @description The order that was placed, or why it was not. */
        ImportResult: {
            /** @description The place of the order in the request, from 0 */
            index: number;
            /** @constant */
            success: true;
            data: components["schemas"]["Order"];
        } | {
            /** @description The place of the order in the request, from 0 */
            index: number;
            /** @constant */
            success: false;
            error: {
                /** @enum {string} */
                code: "validation_error" | "not_found" | "order_exists" | "order_number_taken";
                message: string;
                requestId: string;
                /** @description Every field at fault, with its path in the order */
                details?: {
                    path: string;
                    message: string;
                }[];
                /**
                 * Format: uuid
                 * @description The order that exists
                 */
                orderId?: string;
            };
        };
        /** @description A whole signed request, to be made before the lease ends. */
        LeasedDelivery: {
            /** Format: uuid */
            deliveryId: string;
            attempt: number;
            /** Format: date-time */
            leasedUntil: string;
            /** @description The headers of the request, with its signatures. */
            headers: {
                [key: string]: string;
            };
            /** @description The body of the request; its UTF-8 bytes are signed. */
            body: string;
        };
        /** @description A subscription without a URL, whose deliveries are leased. */
        Listener: {
            /** Format: uuid */
            id: string;
            name: string;
            events: components["schemas"]["SubscribableType"][];
            /** @description False once it has expired, until the next lease. */
            active: boolean;
            /** @description How long it lives without a lease. */
            expiresInHours: number;
            /** Format: date-time */
            expiresAt: string;
            /** Format: date-time */
            createdAt: string;
            /** @description The first 8 characters of the signing secret. */
            signingSecretPreview: string;
            /** @description Its open deliveries, each counted once, of the newest 10,000. */
            waiting: {
                pending: number;
                retrying: number;
                leased: number;
                paused: number;
            };
        };
        /** @description The caller and the caller's tenant. */
        Me: {
            actor: {
                /** @enum {string} */
                type: "api_key" | "user";
                /** Format: uuid */
                id: string;
                /** @description The key's label, or the user's name */
                name: string;
                /** @enum {string} */
                role: "viewer" | "editor" | "admin" | "owner";
                /** @description Empty for a user, who is limited by the role only */
                scopes: ("read:crm" | "write:crm" | "write:crm_bulk" | "read:content" | "write:content")[];
            };
            tenant: {
                /** Format: uuid */
                id: string;
                slug: string;
                name: string;
                /** @description The active modules */
                modules: ("crm" | "content")[];
            };
        };
        /** @description A media asset: an uploaded file, and an image's variants. */
        Media: {
            /** Format: uuid */
            id: string;
            filename: string;
            /** @description The media type, told by the file's bytes. */
            contentType: string;
            sizeBytes: number;
            /** @description The SHA-256 of the file, in hex. */
            sha256: string;
            /**
             * @description `ready` once an image has its variants; other files are ready at once.
             * @enum {string}
             */
            status: "uploaded" | "processing" | "ready" | "failed";
            /** @description Only with the status `failed`. */
            failureReason?: string;
            /** @description Of an image, in pixels; null until it is `ready`, and for other files. */
            width: number | null;
            /** @description Of an image, in pixels; null until it is `ready`, and for other files. */
            height: number | null;
            /** @description The path of its bytes, which needs the credential. */
            url: string;
            /** @description Smaller versions of an image, as WebP. */
            variants: {
                /** @enum {string} */
                name: "thumbnail" | "medium" | "large";
                /** @description In pixels. */
                width: number;
                /** @description In pixels. */
                height: number;
                contentType: string;
                sizeBytes: number;
                /** @description The path of its bytes, which needs the credential. */
                url: string;
            }[];
            /** Format: date-time */
            createdAt: string;
        };
        MediaDeletedEvent: {
            /**
             * Format: uuid
             * @description The same wherever the event is seen.
             */
            id: string;
            /** @constant */
            type: "media.deleted";
            /**
             * Format: date-time
             * @description When it was committed.
             */
            occurredAt: string;
            /** @description The `X-Request-Id` of the request that caused it. */
            requestId: string;
            actor: components["schemas"]["Actor"];
            data: {
                media: components["schemas"]["Media"];
            };
        };
        /** @description A signed address of a file, which needs no credential. */
        MediaLink: {
            /** @description A path on the gateway, with its signature. */
            url: string;
            /**
             * Format: date-time
             * @description From then on it is 404.
             */
            expiresAt: string;
        };
        MediaProcessedDetails: {
            /**
             * Format: uuid
             * @description `X-service-Event-Id`
             */
            id: string;
            /** @constant */
            type: "media.processed";
            /** @description The id of the redirect, entry or media asset. */
            resourceId: string | null;
            /**
             * Format: date-time
             * @description When it was committed.
             */
            occurredAt: string;
            /** @description The `X-Request-Id` of the request that caused it. */
            requestId: string;
            deliveries: {
                /**
                 * Format: uuid
                 * @description The same in every attempt: `X-service-Delivery`.
                 */
                id: string;
                /** Format: uuid */
                subscriptionId: string;
                /**
                 * @description `paused` while its subscription is paused; `cancelled` if that was deleted before it was delivered.
                 * @enum {string}
                 */
                status: "pending" | "retrying" | "paused" | "delivered" | "failed" | "cancelled";
            }[];
            data: {
                media: components["schemas"]["Media"];
                /**
                 * @description Only in an example event, which `sendTestDelivery` sends.
                 * @constant
                 */
                test?: true;
            };
            /** @description One for each subscription that exists now. */
            subscriptions: components["schemas"]["SubscriptionMatch"][];
        };
        MediaProcessedEvent: {
            /**
             * Format: uuid
             * @description The same wherever the event is seen.
             */
            id: string;
            /** @constant */
            type: "media.processed";
            /**
             * Format: date-time
             * @description When it was committed.
             */
            occurredAt: string;
            /** @description The `X-Request-Id` of the request that caused it. */
            requestId: string;
            actor: components["schemas"]["Actor"];
            data: {
                media: components["schemas"]["Media"];
            };
        };
        MediaUploadedDetails: {
            /**
             * Format: uuid
             * @description `X-service-Event-Id`
             */
            id: string;
            /** @constant */
            type: "media.uploaded";
            /** @description The id of the redirect, entry or media asset. */
            resourceId: string | null;
            /**
             * Format: date-time
             * @description When it was committed.
             */
            occurredAt: string;
            /** @description The `X-Request-Id` of the request that caused it. */
            requestId: string;
            deliveries: {
                /**
                 * Format: uuid
                 * @description The same in every attempt: `X-service-Delivery`.
                 */
                id: string;
                /** Format: uuid */
                subscriptionId: string;
                /**
                 * @description `paused` while its subscription is paused; `cancelled` if that was deleted before it was delivered.
                 * @enum {string}
                 */
                status: "pending" | "retrying" | "paused" | "delivered" | "failed" | "cancelled";
            }[];
            data: {
                media: components["schemas"]["Media"];
                /**
                 * @description Only in an example event, which `sendTestDelivery` sends.
                 * @constant
                 */
                test?: true;
            };
            /** @description One for each subscription that exists now. */
            subscriptions: components["schemas"]["SubscriptionMatch"][];
        };
        MediaUploadedEvent: {
            /**
             * Format: uuid
             * @description The same wherever the event is seen.
             */
            id: string;
            /** @constant */
            type: "media.uploaded";
            /**
             * Format: date-time
             * @description When it was committed.
             */
            occurredAt: string;
            /** @description The `X-Request-Id` of the request that caused it. */
            requestId: string;
            actor: components["schemas"]["Actor"];
            data: {
                media: components["schemas"]["Media"];
            };
        };
        /** @description A module of the platform and whether the tenant uses it. */
        Module: {
            /** @enum {string} */
            name: "crm" | "content";
            active: boolean;
        };
        /** @description An open session of the caller. */
        MySession: {
            /** Format: uuid */
            id: string;
            /** Format: date-time */
            createdAt: string;
            /**
             * Format: date-time
             * @description The time of the latest refresh, or of the sign-in
             */
            lastUsedAt: string;
            /** Format: date-time */
            expiresAt: string;
            ip: string | null;
            userAgent: string | null;
            /** @description True for the session of this request */
            current: boolean;
        };
        /** @description A new API key with its secret. */
        NewApiKey: {
            /** Format: uuid */
            id: string;
            /** @description The part of the key that is not secret: `sk_live_<keyId>_…` */
            keyId: string;
            label: string;
            /** @description A `write` scope does not include the `read` scope */
            scopes: ("read:crm" | "write:crm" | "write:crm_bulk" | "read:content" | "write:content")[];
            /** @description Null for a key that does not expire */
            expiresAt: string | null;
            revokedAt: string | null;
            /** @description Written at most once a minute */
            lastUsedAt: string | null;
            /** Format: date-time */
            createdAt: string;
            /** @description The whole key. No other response shows it: in a replayed one it is null. */
            key: string | null;
        };
        NewListener: {
            /** Format: uuid */
            id: string;
            name: string;
            events: components["schemas"]["SubscribableType"][];
            /** @description False once it has expired, until the next lease. */
            active: boolean;
            /** @description How long it lives without a lease. */
            expiresInHours: number;
            /** Format: date-time */
            expiresAt: string;
            /** Format: date-time */
            createdAt: string;
            /** @description Null in a repeated response. */
            signingSecret: string | null;
        };
        /** @description An order to place. Amounts are in units of the currency, with at most as many decimals as it has. */
        NewOrder: {
            /** @description A customer of the tenant; another id is 404 */
            customerId: string;
            items: {
                sku: string;
                name: string;
                /** @default 1 */
                quantity?: number | null;
                /**
                 * @description At most 4 decimals in every currency
                 * @default 0
                 */
                unitPrice?: number | null;
                /**
                 * @description The tax on the whole line
                 * @default 0
                 */
                taxAmount?: number | null;
                /** Format: uuid */
                productId?: string | null;
                /** Format: uuid */
                variantId?: string | null;
                description?: string | null;
            }[];
            /**
             * @description An ISO 4217 code in use. It decides how many decimals amounts may have: USD 2, JPY 0, KWD 3.
             * @default USD
             */
            currency?: string | null;
            /**
             * @default admin
             * @enum {string|null}
             */
            channel?: "storefront" | "b2b_portal" | "admin" | "import" | "mcp" | null;
            /** @description The site that the order was placed on */
            propertyId?: string | null;
            /**
             * @description Before tax
             * @default 0
             */
            shippingTotal?: number | null;
            /**
             * @description Subtracted from the total, which must not be negative
             * @default 0
             */
            discountTotal?: number | null;
            /** @description The sum of the lines' `taxAmount` by default */
            taxTotal?: number | null;
            /** @description At most 8 KiB of JSON text */
            shippingAddress?: ({
                line1: string;
                city: string;
            } & {
                [key: string]: unknown;
            }) | null;
            /** @description At most 8 KiB of JSON text */
            billingAddress?: ({
                line1: string;
                city: string;
            } & {
                [key: string]: unknown;
            }) | null;
            /** @description Shown on the order and in events */
            customerNote?: string | null;
            /** @description For the staff only; never in an event */
            internalNote?: string | null;
            /** @description Unique in the tenant. By default the platform counts from `1001`. */
            orderNumber?: string | null;
            /** @description The channel's own id of the order, unique in the tenant and channel */
            externalId?: string | null;
            /** @description At most 64 KiB of JSON text, returned as it was sent; the platform does not interpret it */
            metadata?: {
                [key: string]: unknown;
            } | null;
        };
        /** @description A new staff user. */
        NewUser: {
            /** Format: uuid */
            id: string;
            /** @description In lower case. On the whole platform it belongs to the user who confirms it first */
            email: string;
            name: string;
            /** @enum {string} */
            role: "viewer" | "editor" | "admin" | "owner";
            /** @description A user who is not active cannot sign in */
            active: boolean;
            /** Format: date-time */
            createdAt: string;
            /**
             * @description `invited` until the user has signed in or set a password with a set-up link
             * @enum {string}
             */
            state: "invited" | "active" | "inactive";
            /** @description For a user without a password */
            setup?: components["schemas"]["SetupLink"];
        };
        /** @description An order with its lines. Amounts are in units of the currency. A field without a value is left out. */
        Order: {
            /** Format: uuid */
            id: string;
            /** @description Unique in the tenant; from `1001` unless the caller supplied it. */
            orderNumber: string;
            /** @enum {string} */
            status: "placed" | "fulfilled" | "delivered" | "cancelled";
            /** @enum {string} */
            paymentStatus: "unpaid" | "failed" | "paid" | "partially_refunded" | "refunded";
            /** Format: uuid */
            customerId: string;
            /** @enum {string} */
            channel: "storefront" | "b2b_portal" | "admin" | "import" | "mcp";
            /** @description The ISO 4217 code. */
            currency: string;
            /** @description The sum of the lines. */
            subtotal: number;
            shippingTotal: number;
            discountTotal: number;
            /** @description The sum of the lines' `taxAmount` unless the caller supplied it. */
            taxTotal: number;
            /** @description `subtotal` + `shippingTotal` + `taxTotal` − `discountTotal`, not rounded. */
            total: number;
            paidTotal: number;
            refundedTotal: number;
            /** @description `total`, rounded half up to the smallest unit of the currency: what is to be paid. Responses and events that version 0.2.0 recorded do not have it. */
            payableTotal?: number;
            /** @description `payableTotal`; 0 once the order is paid or cancelled. */
            amountDue: number;
            /** @description The actions that the state allows, named like the last part of their paths. */
            allowedActions: ("payments" | "fulfill" | "deliver" | "cancel" | "refund")[];
            items: components["schemas"]["OrderLine"][];
            /** @description The channel's own id of the order. */
            externalId?: string;
            /** @description The site that it was placed on. */
            propertyId?: string;
            shippingAddress?: components["schemas"]["Address"];
            billingAddress?: components["schemas"]["Address"];
            customerNote?: string;
            /** @description As it was sent; the platform does not interpret it. */
            metadata?: {
                [key: string]: unknown;
            };
            trackingNumber?: string;
            carrier?: string;
            cancelReason?: string;
            /** @description Grows with each change. */
            version: number;
            /** Format: date-time */
            createdAt: string;
            /**
             * Format: date-time
             * @description The time of the latest change.
             */
            updatedAt: string;
            /** @description For the staff only; never in an event */
            internalNote?: string;
        };
        OrderCancelledEvent: {
            /**
             * Format: uuid
             * @description The same wherever the event is seen.
             */
            id: string;
            /** @constant */
            type: "order.cancelled";
            /**
             * Format: date-time
             * @description When it was committed.
             */
            occurredAt: string;
            /** @description The `X-Request-Id` of the request that caused it. */
            requestId: string;
            actor: components["schemas"]["Actor"];
            data: {
                order: components["schemas"]["OrderInEvents"];
            };
        };
        OrderDeliveredEvent: {
            /**
             * Format: uuid
             * @description The same wherever the event is seen.
             */
            id: string;
            /** @constant */
            type: "order.delivered";
            /**
             * Format: date-time
             * @description When it was committed.
             */
            occurredAt: string;
            /** @description The `X-Request-Id` of the request that caused it. */
            requestId: string;
            actor: components["schemas"]["Actor"];
            data: {
                order: components["schemas"]["OrderInEvents"];
            };
        };
        OrderFulfilledEvent: {
            /**
             * Format: uuid
             * @description The same wherever the event is seen.
             */
            id: string;
            /** @constant */
            type: "order.fulfilled";
            /**
             * Format: date-time
             * @description When it was committed.
             */
            occurredAt: string;
            /** @description The `X-Request-Id` of the request that caused it. */
            requestId: string;
            actor: components["schemas"]["Actor"];
            data: {
                order: components["schemas"]["OrderInEvents"];
            };
        };
        /** @description An order after a change, without its internal note. Amounts are in units of the currency. */
        OrderInEvents: {
            /** Format: uuid */
            id: string;
            /** @description Unique in the tenant; from `1001` unless the caller supplied it. */
            orderNumber: string;
            /** @enum {string} */
            status: "placed" | "fulfilled" | "delivered" | "cancelled";
            /** @enum {string} */
            paymentStatus: "unpaid" | "failed" | "paid" | "partially_refunded" | "refunded";
            /** Format: uuid */
            customerId: string;
            /** @enum {string} */
            channel: "storefront" | "b2b_portal" | "admin" | "import" | "mcp";
            /** @description The ISO 4217 code. */
            currency: string;
            /** @description The sum of the lines. */
            subtotal: number;
            shippingTotal: number;
            discountTotal: number;
            /** @description The sum of the lines' `taxAmount` unless the caller supplied it. */
            taxTotal: number;
            /** @description `subtotal` + `shippingTotal` + `taxTotal` − `discountTotal`, not rounded. */
            total: number;
            paidTotal: number;
            refundedTotal: number;
            /** @description `total`, rounded half up to the smallest unit of the currency: what is to be paid. Responses and events that version 0.2.0 recorded do not have it. */
            payableTotal?: number;
            /** @description `payableTotal`; 0 once the order is paid or cancelled. */
            amountDue: number;
            /** @description The actions that the state allows, named like the last part of their paths. */
            allowedActions: ("payments" | "fulfill" | "deliver" | "cancel" | "refund")[];
            items: components["schemas"]["OrderLine"][];
            /** @description The channel's own id of the order. */
            externalId?: string;
            /** @description The site that it was placed on. */
            propertyId?: string;
            shippingAddress?: components["schemas"]["Address"];
            billingAddress?: components["schemas"]["Address"];
            customerNote?: string;
            /** @description As it was sent; the platform does not interpret it. */
            metadata?: {
                [key: string]: unknown;
            };
            trackingNumber?: string;
            carrier?: string;
            cancelReason?: string;
            /** @description Grows with each change. */
            version: number;
            /** Format: date-time */
            createdAt: string;
            /**
             * Format: date-time
             * @description The time of the latest change.
             */
            updatedAt: string;
        };
        /** @description A line of an order. */
        OrderLine: {
            /**
             * Format: uuid
             * @description Never changes.
             */
            id: string;
            sku: string;
            name: string;
            quantity: number;
            /** @description Before tax, with at most 4 decimals. */
            unitPrice: number;
            /** @description `quantity` × `unitPrice`, not rounded. */
            subtotal: number;
            /** @description The tax on the whole line. */
            taxAmount: number;
            /** Format: uuid */
            productId?: string;
            /** Format: uuid */
            variantId?: string;
            description?: string;
        };
        OrderPaidEvent: {
            /**
             * Format: uuid
             * @description The same wherever the event is seen.
             */
            id: string;
            /** @constant */
            type: "order.paid";
            /**
             * Format: date-time
             * @description When it was committed.
             */
            occurredAt: string;
            /** @description The `X-Request-Id` of the request that caused it. */
            requestId: string;
            actor: components["schemas"]["Actor"];
            data: {
                order: components["schemas"]["OrderInEvents"];
                payment: {
                    /** Format: uuid */
                    id: string;
                    /** @enum {string} */
                    status: "succeeded" | "failed";
                    amount: number;
                    reference?: string;
                };
            };
        };
        OrderPaymentFailedEvent: {
            /**
             * Format: uuid
             * @description The same wherever the event is seen.
             */
            id: string;
            /** @constant */
            type: "order.payment_failed";
            /**
             * Format: date-time
             * @description When it was committed.
             */
            occurredAt: string;
            /** @description The `X-Request-Id` of the request that caused it. */
            requestId: string;
            actor: components["schemas"]["Actor"];
            data: {
                order: components["schemas"]["OrderInEvents"];
                payment: {
                    /** Format: uuid */
                    id: string;
                    /** @enum {string} */
                    status: "succeeded" | "failed";
                    amount: number;
                    reference?: string;
                };
            };
        };
        OrderPlacedEvent: {
            /**
             * Format: uuid
             * @description The same wherever the event is seen.
             */
            id: string;
            /** @constant */
            type: "order.placed";
            /**
             * Format: date-time
             * @description When it was committed.
             */
            occurredAt: string;
            /** @description The `X-Request-Id` of the request that caused it. */
            requestId: string;
            actor: components["schemas"]["Actor"];
            data: {
                order: components["schemas"]["OrderInEvents"];
            };
        };
        OrderRefundedEvent: {
            /**
             * Format: uuid
             * @description The same wherever the event is seen.
             */
            id: string;
            /** @constant */
            type: "order.refunded";
            /**
             * Format: date-time
             * @description When it was committed.
             */
            occurredAt: string;
            /** @description The `X-Request-Id` of the request that caused it. */
            requestId: string;
            actor: components["schemas"]["Actor"];
            data: {
                order: components["schemas"]["OrderInEvents"];
                refund: {
                    /** Format: uuid */
                    id: string;
                    amount: number;
                    reason?: string;
                    reference?: string;
                };
            };
        };
        /** @description The state of the order that refused the request. */
        OrderState: {
            /** @enum {string} */
            status: "placed" | "fulfilled" | "delivered" | "cancelled";
            /** @enum {string} */
            paymentStatus: "unpaid" | "failed" | "paid" | "partially_refunded" | "refunded";
            /** @description The actions that the state allows, named like the last part of their paths. */
            allowedActions: ("payments" | "fulfill" | "deliver" | "cancel" | "refund")[];
        };
        OrderUpdatedEvent: {
            /**
             * Format: uuid
             * @description The same wherever the event is seen.
             */
            id: string;
            /** @constant */
            type: "order.updated";
            /**
             * Format: date-time
             * @description When it was committed.
             */
            occurredAt: string;
            /** @description The `X-Request-Id` of the request that caused it. */
            requestId: string;
            actor: components["schemas"]["Actor"];
            data: {
                order: components["schemas"]["OrderInEvents"];
            };
        };
        Page: {
            /** @description The `cursor` of the next page; null on the last. */
            nextCursor: string | null;
        };
        /** @description A payment or a refund of an order. */
        Payment: {
            /** Format: uuid */
            id: string;
            /** @enum {string} */
            kind: "payment" | "refund";
            /**
             * @description A refund is recorded when it has succeeded
             * @enum {string}
             */
            status: "succeeded" | "failed";
            /** @description In units of the order's currency */
            amount: number;
            reference: string | null;
            /** @description Of a refund */
            reason: string | null;
            /** Format: date-time */
            createdAt: string;
        };
        /** @description How far a recovery has come. */
        Recovery: {
            /** Format: uuid */
            id: string;
            /** Format: uuid */
            subscriptionId: string;
            /**
             * Format: date-time
             * @description Inclusive.
             */
            since: string;
            /**
             * Format: date-time
             * @description Exclusive.
             */
            until: string;
            /** @description The failed deliveries of the period. */
            matched: number;
            /** @description How many of them wait for an attempt again so far. */
            requeued: number;
            /** Format: date-time */
            createdAt: string;
            /** @description Null while it goes on. */
            finishedAt: string | null;
        };
        /** @description A redirect from a path of the site. */
        Redirect: {
            /** Format: uuid */
            id: string;
            /** @description The path that it leads from, percent-encoded and without a slash at the end. */
            from: string;
            /** @description A path on the same site or an absolute URL. */
            to: string;
            /** @description The HTTP status to redirect with. */
            type: 301 | 302 | 307 | 308;
            /** Format: date-time */
            createdAt: string;
        };
        RedirectAddedDetails: {
            /**
             * Format: uuid
             * @description `X-service-Event-Id`
             */
            id: string;
            /** @constant */
            type: "redirect.added";
            /** @description The id of the redirect, entry or media asset. */
            resourceId: string | null;
            /**
             * Format: date-time
             * @description When it was committed.
             */
            occurredAt: string;
            /** @description The `X-Request-Id` of the request that caused it. */
            requestId: string;
            deliveries: {
                /**
                 * Format: uuid
                 * @description The same in every attempt: `X-service-Delivery`.
                 */
                id: string;
                /** Format: uuid */
                subscriptionId: string;
                /**
                 * @description `paused` while its subscription is paused; `cancelled` if that was deleted before it was delivered.
                 * @enum {string}
                 */
                status: "pending" | "retrying" | "paused" | "delivered" | "failed" | "cancelled";
            }[];
            data: {
                redirect: components["schemas"]["RedirectInEvents"];
                /**
                 * @description Only in an example event, which `sendTestDelivery` sends.
                 * @constant
                 */
                test?: true;
            };
            /** @description One for each subscription that exists now. */
            subscriptions: components["schemas"]["SubscriptionMatch"][];
        };
        RedirectAddedEvent: {
            /**
             * Format: uuid
             * @description The same wherever the event is seen.
             */
            id: string;
            /** @constant */
            type: "redirect.added";
            /**
             * Format: date-time
             * @description When it was committed.
             */
            occurredAt: string;
            /** @description The `X-Request-Id` of the request that caused it. */
            requestId: string;
            actor: components["schemas"]["Actor"];
            data: {
                redirect: components["schemas"]["RedirectInEvents"];
            };
        };
        /** @description A redirect from a path of the site, with its version. */
        RedirectInEvents: {
            /** Format: uuid */
            id: string;
            /** @description The path that it leads from, percent-encoded and without a slash at the end. */
            from: string;
            /** @description A path on the same site or an absolute URL. */
            to: string;
            /** @description The HTTP status to redirect with. */
            type: 301 | 302 | 307 | 308;
            /** Format: date-time */
            createdAt: string;
            /** @description 1 in `redirect.added`, higher in each later event of the redirect. Events that version 0.2.0 wrote do not have it. */
            version?: number;
        };
        RedirectRemovedDetails: {
            /**
             * Format: uuid
             * @description `X-service-Event-Id`
             */
            id: string;
            /** @constant */
            type: "redirect.removed";
            /** @description The id of the redirect, entry or media asset. */
            resourceId: string | null;
            /**
             * Format: date-time
             * @description When it was committed.
             */
            occurredAt: string;
            /** @description The `X-Request-Id` of the request that caused it. */
            requestId: string;
            deliveries: {
                /**
                 * Format: uuid
                 * @description The same in every attempt: `X-service-Delivery`.
                 */
                id: string;
                /** Format: uuid */
                subscriptionId: string;
                /**
                 * @description `paused` while its subscription is paused; `cancelled` if that was deleted before it was delivered.
                 * @enum {string}
                 */
                status: "pending" | "retrying" | "paused" | "delivered" | "failed" | "cancelled";
            }[];
            data: {
                redirect: components["schemas"]["RedirectInEvents"];
                /**
                 * @description Only in an example event, which `sendTestDelivery` sends.
                 * @constant
                 */
                test?: true;
            };
            /** @description One for each subscription that exists now. */
            subscriptions: components["schemas"]["SubscriptionMatch"][];
        };
        RedirectRemovedEvent: {
            /**
             * Format: uuid
             * @description The same wherever the event is seen.
             */
            id: string;
            /** @constant */
            type: "redirect.removed";
            /**
             * Format: date-time
             * @description When it was committed.
             */
            occurredAt: string;
            /** @description The `X-Request-Id` of the request that caused it. */
            requestId: string;
            actor: components["schemas"]["Actor"];
            data: {
                redirect: components["schemas"]["RedirectInEvents"];
            };
        };
        /** @description A revision of an entry, with its author. */
        Revision: {
            /** @description Counts the changes of slug and data, from 1. */
            revision: number;
            slug: string;
            /** @description The fields of the content type. */
            data: {
                [key: string]: unknown;
            };
            actor: components["schemas"]["Actor"];
            /** Format: date-time */
            createdAt: string;
        };
        /** @description The successor of an API key, with its secret. */
        RotatedApiKey: {
            /** Format: uuid */
            id: string;
            /** @description The part of the key that is not secret: `sk_live_<keyId>_…` */
            keyId: string;
            label: string;
            /** @description A `write` scope does not include the `read` scope */
            scopes: ("read:crm" | "write:crm" | "write:crm_bulk" | "read:content" | "write:content")[];
            /** @description Null for a key that does not expire */
            expiresAt: string | null;
            revokedAt: string | null;
            /** @description Written at most once a minute */
            lastUsedAt: string | null;
            /** Format: date-time */
            createdAt: string;
            /** @description The whole key. No other response shows it: in a replayed one it is null. */
            key: string | null;
            /**
             * Format: uuid
             * @description The id of the key that it replaces
             */
            rotatedFrom: string;
        };
        /** @description A one-time link with which a user sets a password, for 24 hours. */
        SetupLink: {
            /** @description For `POST /v1/auth/setup`. No other response shows it: in a replayed one it is null. */
            token: string | null;
            /** Format: date-time */
            expiresAt: string;
        };
        /** @description A recovery as far as it has come at once. */
        StartedRecovery: {
            /** @description The failed deliveries of the period. */
            matched: number;
            /** @description How many of them wait for an attempt again so far. */
            requeued: number;
            /** @description For `getRecovery`; null for a dry run. */
            id: string | null;
        };
        /**
         * @description An event type that a subscription may name.
         * @enum {string}
         */
        SubscribableType: "content.entry.created" | "content.entry.updated" | "content.entry.published" | "content.entry.scheduled" | "content.entry.unpublished" | "content.entry.deleted" | "media.uploaded" | "media.processed" | "redirect.added" | "redirect.removed";
        /** @description A webhook subscription with the health of its endpoint. */
        Subscription: {
            /** Format: uuid */
            id: string;
            name: string;
            url: string;
            events: components["schemas"]["SubscribableType"][];
            /** @description False while it is paused: nothing is sent, and nothing is lost. */
            active: boolean;
            /** @description The headers of its own that are sent with every attempt. Their values are never shown. */
            headers: {
                [key: string]: "•••";
            };
            /** @description The first 8 characters of the secret. */
            signingSecretPreview: string;
            /** @description After a rotation, until when the previous secret signs too. */
            previousSecretUntil: string | null;
            health: components["schemas"]["EndpointHealth"];
            /** Format: date-time */
            createdAt: string;
            /** @description Grows with every change, but not with `health`; the `ETag`. */
            version: number;
        };
        /** @description Why a subscription has a delivery of an event or has none. */
        SubscriptionMatch: {
            /** Format: uuid */
            subscriptionId: string;
            name: string;
            /** @description Also true for a paused subscription, whose delivery is `paused`. */
            matched: boolean;
            /** @description Null if it matched. */
            reason: ("type_not_subscribed" | "created_later") | null;
            /** @description Null without a match, or if the delivery has left the log. */
            deliveryId: string | null;
        };
        /** @description A subscription with its new signing secret. */
        SubscriptionWithSecret: {
            /** Format: uuid */
            id: string;
            name: string;
            url: string;
            events: components["schemas"]["SubscribableType"][];
            /** @description False while it is paused: nothing is sent, and nothing is lost. */
            active: boolean;
            /** @description The headers of its own that are sent with every attempt. Their values are never shown. */
            headers: {
                [key: string]: "•••";
            };
            /** @description After a rotation, until when the previous secret signs too. */
            previousSecretUntil: string | null;
            health: components["schemas"]["EndpointHealth"];
            /** Format: date-time */
            createdAt: string;
            /** @description Grows with every change, but not with `health`; the `ETag`. */
            version: number;
            /** @description The whole secret, shown only once: null in a repeated response to the same `Idempotency-Key`. */
            signingSecret: string | null;
        };
        /** @description A change of an order. */
        TimelineEntry: {
            /** @description The id of the event in the change feed; null for orders placed before the platform stored it */
            eventId: string | null;
            /**
             * @description The type of the event; `order.updated` is a change by PATCH
             * @enum {string}
             */
            type: "order.placed" | "order.paid" | "order.payment_failed" | "order.fulfilled" | "order.delivered" | "order.cancelled" | "order.refunded" | "order.updated";
            /** Format: date-time */
            createdAt: string;
            /** @description The order's version after the change */
            version: number;
            /** @enum {string} */
            status: "placed" | "fulfilled" | "delivered" | "cancelled";
            /** @enum {string} */
            paymentStatus: "unpaid" | "failed" | "paid" | "partially_refunded" | "refunded";
            /** @description Who made the change; null for orders placed before the platform stored it */
            actor: components["schemas"]["Actor"] | null;
            /** @description The `X-Request-Id` of the request; null like `actor` */
            requestId: string | null;
            payment?: components["schemas"]["TimelinePayment"];
            refund?: components["schemas"]["TimelineRefund"];
            trackingNumber?: string | null;
            carrier?: string | null;
            /** @description Why the order was cancelled */
            reason?: string;
            /** @description The names of the fields that a PATCH changed */
            changed?: string[];
        };
        /** @description A payment of an order. */
        TimelinePayment: {
            /** Format: uuid */
            id: string;
            /** @enum {string} */
            status: "succeeded" | "failed";
            amount: number;
            reference?: string;
        };
        /** @description A refund of an order. */
        TimelineRefund: {
            /** Format: uuid */
            id: string;
            amount: number;
            reason?: string;
            reference?: string;
        };
        /** @description A staff user of the tenant. */
        User: {
            /** Format: uuid */
            id: string;
            /** @description In lower case. On the whole platform it belongs to the user who confirms it first */
            email: string;
            name: string;
            /** @enum {string} */
            role: "viewer" | "editor" | "admin" | "owner";
            /** @description A user who is not active cannot sign in */
            active: boolean;
            /** Format: date-time */
            createdAt: string;
            /**
             * @description `invited` until the user has signed in or set a password with a set-up link
             * @enum {string}
             */
            state: "invited" | "active" | "inactive";
        };
        /** @description An open session of a user. */
        UserSession: {
            /** Format: uuid */
            id: string;
            /** Format: date-time */
            createdAt: string;
            /**
             * Format: date-time
             * @description The time of the latest refresh, or of the sign-in
             */
            lastUsedAt: string;
            /** Format: date-time */
            expiresAt: string;
            ip: string | null;
            userAgent: string | null;
        };
        /** @description An event that could be subscribed to, with its deliveries. */
        WebhookEvent: {
            /**
             * Format: uuid
             * @description `X-service-Event-Id`
             */
            id: string;
            type: components["schemas"]["SubscribableType"];
            /** @description The id of the redirect, entry or media asset. */
            resourceId: string | null;
            /**
             * Format: date-time
             * @description When it was committed.
             */
            occurredAt: string;
            /** @description The `X-Request-Id` of the request that caused it. */
            requestId: string;
            deliveries: {
                /**
                 * Format: uuid
                 * @description The same in every attempt: `X-service-Delivery`.
                 */
                id: string;
                /** Format: uuid */
                subscriptionId: string;
                /**
                 * @description `paused` while its subscription is paused; `cancelled` if that was deleted before it was delivered.
                 * @enum {string}
                 */
                status: "pending" | "retrying" | "paused" | "delivered" | "failed" | "cancelled";
            }[];
        };
    };
    responses: {
        /** @description `api_key_limit`: The tenant has 100 live API keys. */
        ApiKeyLimit: {
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
                        code: "api_key_limit";
                        message: string;
                        requestId: string;
                    };
                };
            };
        };
        /**
         * @description `key_revoked`: The API key is revoked.
         *
         *     `rotation_in_progress`: The earlier secret or key is still accepted.
         *
         *     `conflict`: Another resource has a value that must be unique, or the state does not allow it.
         *
         *     `api_key_limit`: The tenant has 100 live API keys.
         */
        ApiKeyLimitOrConflictOrKeyRevokedOrRotationInProgress: {
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
                        code: "key_revoked" | "rotation_in_progress" | "conflict" | "api_key_limit";
                        message: string;
                        requestId: string;
                    };
                };
            };
        };
        /** @description `bad_request`: The request is not valid HTTP, or its body is cut short or too slow. */
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
        /**
         * @description `bad_request`: The request is not valid HTTP, or its body is cut short or too slow.
         *
         *     `invalid_json`: The body is empty or not valid JSON.
         */
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
        /** @description `conflict`: Another resource has a value that must be unique, or the state does not allow it. */
        Conflict: {
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
                        code: "conflict";
                        message: string;
                        requestId: string;
                    };
                };
            };
        };
        /** @description `content_type_in_use`: An existing entry would become invalid. */
        ContentTypeInUse: {
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
                        code: "content_type_in_use";
                        message: string;
                        requestId: string;
                    };
                };
            };
        };
        /** @description `cursor_expired`: The cursor is older than the events that are kept. */
        CursorExpired: {
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
                        code: "cursor_expired";
                        message: string;
                        requestId: string;
                    };
                };
            };
        };
        /** @description `email_taken`: A user has this e-mail address. */
        EmailTaken: {
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
                        code: "email_taken";
                        message: string;
                        requestId: string;
                    };
                };
            };
        };
        /**
         * @description `forbidden`: The caller lacks the role or the scope, or the operation is for users only.
         *
         *     `tenant_suspended`: The operator has suspended the tenant.
         *
         *     `module_disabled`: The tenant has not activated the module.
         */
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
        /**
         * @description `forbidden`: The caller lacks the role or the scope, or the operation is for users only.
         *
         *     `tenant_suspended`: The operator has suspended the tenant.
         */
        ForbiddenOrTenantSuspended: {
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
                        code: "forbidden" | "tenant_suspended";
                        message: string;
                        requestId: string;
                    };
                };
            };
        };
        /**
         * @description `validation_error`: Fields of the body or parameters are at fault; `details` names each.
         *
         *     `idempotency_key_reused`: The `Idempotency-Key` belongs to another request.
         */
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
        /** @description `internal_error`: A fault in the platform. */
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
        /** @description `invalid_transition`: The state does not allow it. */
        InvalidTransition: {
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
                        code: "invalid_transition";
                        message: string;
                        requestId: string;
                        state: components["schemas"]["OrderState"];
                    };
                };
            };
        };
        /**
         * @description `invalid_transition`: The state does not allow it.
         *
         *     `refund_required`: Money has to be refunded first.
         */
        InvalidTransitionOrRefundRequired: {
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
                        code: "invalid_transition" | "refund_required";
                        message: string;
                        requestId: string;
                        state: components["schemas"]["OrderState"];
                    };
                };
            };
        };
        /** @description `key_revoked`: The API key is revoked. */
        KeyRevoked: {
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
                        code: "key_revoked";
                        message: string;
                        requestId: string;
                    };
                };
            };
        };
        /** @description `last_owner`: The tenant would have no active owner. */
        LastOwner: {
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
                        code: "last_owner";
                        message: string;
                        requestId: string;
                    };
                };
            };
        };
        /** @description `listener_limit`: The tenant has 20 listeners. */
        ListenerLimit: {
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
                        code: "listener_limit";
                        message: string;
                        requestId: string;
                    };
                };
            };
        };
        /** @description `not_found`: The tenant has no such resource. */
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
        /**
         * @description `order_not_paid`: The order is not paid.
         *
         *     `nothing_to_refund`: Nothing is left to refund.
         *
         *     `reference_reused`: A payment or a refund of the order with another amount has this reference.
         */
        NothingToRefundOrOrderNotPaidOrReferenceReused: {
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
                        code: "order_not_paid" | "nothing_to_refund" | "reference_reused";
                        message: string;
                        requestId: string;
                        state: components["schemas"]["OrderState"];
                    };
                };
            };
        };
        /**
         * @description `order_already_paid`: The order is paid.
         *
         *     `order_cancelled`: The order is cancelled.
         *
         *     `reference_reused`: A payment or a refund of the order with another amount has this reference.
         */
        OrderAlreadyPaidOrOrderCancelledOrReferenceReused: {
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
                        code: "order_already_paid" | "order_cancelled" | "reference_reused";
                        message: string;
                        requestId: string;
                        state: components["schemas"]["OrderState"];
                    };
                };
            };
        };
        /**
         * @description `order_exists`: An order of the channel has this `externalId`.
         *
         *     `order_number_taken`: An order of the tenant has this `orderNumber`.
         */
        OrderExistsOrOrderNumberTaken: {
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
                        code: "order_exists" | "order_number_taken";
                        message: string;
                        requestId: string;
                        /**
                         * Format: uuid
                         * @description The order that exists
                         */
                        orderId: string;
                    };
                };
            };
        };
        /** @description `payload_too_large`: The body is too large: above 2 MiB, 4 KiB for sign-in, or 25 MiB for a file. */
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
        /** @description `range_not_satisfiable`: The range is outside the file. */
        RangeNotSatisfiable: {
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
                        code: "range_not_satisfiable";
                        message: string;
                        requestId: string;
                    };
                };
            };
        };
        /** @description `rate_limited`: A limit of the caller or the tenant is reached; wait for `Retry-After`. */
        RateLimited: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
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
        /**
         * @description `redirect_exists`: A redirect from this path exists.
         *
         *     `redirect_loop`: The redirect would lead in a circle, or over too many others.
         */
        RedirectExistsOrRedirectLoop: {
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
                        code: "redirect_exists" | "redirect_loop";
                        message: string;
                        requestId: string;
                    };
                };
            };
        };
        /** @description `rotation_in_progress`: The earlier secret or key is still accepted. */
        RotationInProgress: {
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
                        code: "rotation_in_progress";
                        message: string;
                        requestId: string;
                    };
                };
            };
        };
        /** @description `service_unavailable`: The service or its database cannot respond at the moment; wait for `Retry-After`. */
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
        /** @description `subscription_limit`: The tenant has 50 subscriptions. */
        SubscriptionLimit: {
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
                        code: "subscription_limit";
                        message: string;
                        requestId: string;
                    };
                };
            };
        };
        /** @description `tenant_suspended`: The operator has suspended the tenant. */
        TenantSuspended: {
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
                        code: "tenant_suspended";
                        message: string;
                        requestId: string;
                    };
                };
            };
        };
        /** @description `unauthorized`: No credential, or one that is malformed, unknown, revoked or expired. */
        Unauthorized: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
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
        /** @description `unsupported_media_type`: The body has another media type, or it is compressed. */
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
        /** @description `upstream_timeout`: The service behind the path took too long. */
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
        /** @description `upstream_unavailable`: The service behind the path broke off. */
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
        /** @description `validation_error`: Fields of the body or parameters are at fault; `details` names each. */
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
                        details: components["schemas"]["FieldFaults"];
                    };
                };
            };
        };
        /** @description `version_mismatch`: `If-Match` names another version. */
        VersionMismatch: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                ETag: components["headers"]["ETag"];
                [name: string]: unknown;
            };
            content: {
                "application/json": {
                    /** @constant */
                    success: false;
                    error: {
                        /** @enum {string} */
                        code: "version_mismatch";
                        message: string;
                        requestId: string;
                    };
                };
            };
        };
    };
    parameters: {
        /** @description The event's type, as in the body. */
        "X-service-Event": string;
        /** @description The delivery's id, as in the body: the same in every attempt. Deduplicate by it. */
        "X-service-Delivery": string;
        /** @description The number of the attempt, from 1; from 1 again after a redelivery. */
        "X-service-Attempt": number;
        /** @description The event's id, the same in the deliveries of all subscriptions. */
        "X-service-Event-Id": string;
        /** @description When the event was committed. */
        "X-service-Event-Time": string;
        /** @description `sha256=` and the HMAC-SHA256 of the body's bytes in hex. The key is the whole secret as it is written, `whsec_` included. */
        "X-service-Signature": string;
        /** @description The same with the previous secret, while a rotation overlaps. */
        "X-service-Signature-Previous": string;
        /** @description The delivery's id, as [Standard Webhooks](https://www.standardwebhooks.com) defines it. */
        "webhook-id": string;
        /** @description The time of the attempt in seconds since 1970. */
        "webhook-timestamp": number;
        /** @description `v1,` and the HMAC-SHA256 of `webhook-id`, `.`, `webhook-timestamp`, `.` and the body in base64. The key is the bytes that the base64 after `whsec_` encodes. While a rotation overlaps there are two, separated by a space, the new one first. */
        "webhook-signature": string;
        /** @description The same in every request. */
        "User-Agent": "Tradepost-Webhooks/1";
    };
    requestBodies: never;
    headers: {
        /** @description The request's id: the caller's, if it sent a valid one. */
        "X-Request-Id": string;
        /** @description The version of the resource. */
        ETag: string;
        /** @description The same for a missing, unknown, revoked and expired credential. */
        "WWW-Authenticate": "Bearer";
        /** @description `true` if this is the response to an earlier request with the same `Idempotency-Key`. */
        "Idempotent-Replayed": "true";
        /** @description The path of the new resource. */
        Location: string;
        /** @description Ranges of bytes are honoured. */
        "Accept-Ranges": "bytes";
        /** @description The filename; `inline` only for files that a browser shows without running them. */
        "Content-Disposition": string;
        /** @description Which bytes of how many these are: `bytes 0-1023/482113`. */
        "Content-Range": string;
        /** @description The path of the next page, with its cursor: `</v1/orders?cursor=…>; rel="next"`. */
        Link: string;
        /** @description What is left of each limit, and the seconds until all of it is: `"default";r=199;t=1, "tenant";r=799;t=1`. */
        RateLimit: string;
        /** @description The limit of the key or user, and that of the tenant: how much in how many seconds: `"default";q=200;w=2, "tenant";q=800;w=2`. */
        "RateLimit-Policy": string;
        /** @description The most requests that the caller may send at once. */
        "RateLimit-Limit": number;
        /** @description How many of them are left now. */
        "RateLimit-Remaining": number;
        /** @description The seconds until all of them are. */
        "RateLimit-Reset": number;
        /** @description The seconds to wait before the next attempt. */
        "Retry-After": number;
    };
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    getApiDescription: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description An `ETag`. While it is the current one, the response is 304.
                 * @example "0"
                 */
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
                        /** @description The operations, by path and method */
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
    login: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "email": "owner@harbour-goods.example",
                 *       "password": "correct-horse-battery-7"
                 *     }
                 */
                "application/json": {
                    email: string;
                    password: string;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "token": "eyJhbGciOiJIUzI1NiJ9.xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx.xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx",
                     *         "expiresAt": "2026-08-20T09:45:00.000Z",
                     *         "user": {
                     *           "id": "0198c5a2-0000-7000-8000-000000000001",
                     *           "email": "owner@harbour-goods.example",
                     *           "name": "Harbour Goods owner",
                     *           "role": "owner",
                     *           "active": true,
                     *           "createdAt": "2026-08-20T09:36:00.000Z",
                     *           "state": "active"
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: {
                            /** @description A dashboard token, for `Authorization: Bearer` */
                            token: string;
                            /**
                             * Format: date-time
                             * @description 15 minutes from now
                             */
                            expiresAt: string;
                            user: components["schemas"]["User"];
                        };
                    };
                };
            };
            400: components["responses"]["BadRequestOrInvalidJson"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["TenantSuspended"];
            409: components["responses"]["EmailTaken"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["ValidationError"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            502: components["responses"]["UpstreamUnavailable"];
            503: components["responses"]["ServiceUnavailable"];
            504: components["responses"]["UpstreamTimeout"];
        };
    };
    refreshToken: {
        parameters: {
            query?: never;
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
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "token": "eyJhbGciOiJIUzI1NiJ9.xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx.xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx",
                     *         "expiresAt": "2026-08-20T09:45:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: {
                            /** @description A dashboard token, for `Authorization: Bearer` */
                            token: string;
                            /**
                             * Format: date-time
                             * @description 15 minutes from now
                             */
                            expiresAt: string;
                        };
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["TenantSuspended"];
            413: components["responses"]["PayloadTooLarge"];
            422: components["responses"]["ValidationError"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            502: components["responses"]["UpstreamUnavailable"];
            503: components["responses"]["ServiceUnavailable"];
            504: components["responses"]["UpstreamTimeout"];
        };
    };
    logout: {
        parameters: {
            query?: never;
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
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "signedOut": true
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: {
                            /** @constant */
                            signedOut: true;
                        };
                    };
                };
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
    setUpPassword: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "token": "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx",
                 *       "password": "correct-horse-battery-7"
                 *     }
                 */
                "application/json": {
                    token: string;
                    password: string;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "id": "0198c5a2-0000-7000-8000-000000000028",
                     *         "email": "grace@harbour-goods.example",
                     *         "name": "Grace Hopper",
                     *         "role": "editor",
                     *         "active": true,
                     *         "createdAt": "2026-08-20T09:53:00.000Z",
                     *         "state": "active"
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["User"];
                    };
                };
            };
            400: components["responses"]["BadRequestOrInvalidJson"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["TenantSuspended"];
            409: components["responses"]["EmailTaken"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["ValidationError"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            502: components["responses"]["UpstreamUnavailable"];
            503: components["responses"]["ServiceUnavailable"];
            504: components["responses"]["UpstreamTimeout"];
        };
    };
    getMe: {
        parameters: {
            query?: never;
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
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "actor": {
                     *           "type": "user",
                     *           "id": "0198c5a2-0000-7000-8000-000000000001",
                     *           "name": "Harbour Goods owner",
                     *           "role": "owner",
                     *           "scopes": []
                     *         },
                     *         "tenant": {
                     *           "id": "0198c5a2-0000-7000-8000-000000000002",
                     *           "slug": "harbour-goods",
                     *           "name": "Harbour Goods",
                     *           "modules": [
                     *             "content",
                     *             "crm"
                     *           ]
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["Me"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ForbiddenOrTenantSuspended"];
            413: components["responses"]["PayloadTooLarge"];
            422: components["responses"]["ValidationError"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            502: components["responses"]["UpstreamUnavailable"];
            503: components["responses"]["ServiceUnavailable"];
            504: components["responses"]["UpstreamTimeout"];
        };
    };
    changeMyPassword: {
        parameters: {
            query?: never;
            header?: {
                /** @description Chosen by the caller, for one request. For 24 hours, the same request with the same key gets the first response again, with `Idempotent-Replayed: true`; another body is 422 `idempotency_key_reused`. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "currentPassword": "correct-horse-battery-7",
                 *       "newPassword": "correct-horse-battery-7-next"
                 *     }
                 */
                "application/json": {
                    currentPassword: string;
                    newPassword: string;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "endedSessions": 0
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: {
                            /** @description The number of sessions that ended */
                            endedSessions: number;
                        };
                    };
                };
            };
            400: components["responses"]["BadRequestOrInvalidJson"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ForbiddenOrTenantSuspended"];
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
    listMySessions: {
        parameters: {
            query?: {
                /**
                 * @description The most items of a page.
                 * @example 25
                 */
                limit?: number;
                /** @description `page.nextCursor` of the page before. */
                cursor?: string;
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
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    Link: components["headers"]["Link"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": [
                     *         {
                     *           "id": "0198c5a2-0000-7000-8000-000000000029",
                     *           "createdAt": "2026-08-20T09:55:00.000Z",
                     *           "lastUsedAt": "2026-08-20T09:30:00.000Z",
                     *           "expiresAt": "2026-09-19T09:30:00.000Z",
                     *           "ip": "127.0.0.1",
                     *           "userAgent": "harbour-goods/1.4",
                     *           "current": true
                     *         },
                     *         {
                     *           "id": "0198c5a2-0000-7000-8000-000000000030",
                     *           "createdAt": "2026-08-20T09:54:00.000Z",
                     *           "lastUsedAt": "2026-08-20T09:30:00.000Z",
                     *           "expiresAt": "2026-09-19T09:30:00.000Z",
                     *           "ip": "127.0.0.1",
                     *           "userAgent": "harbour-goods/1.4",
                     *           "current": false
                     *         }
                     *       ],
                     *       "page": {
                     *         "nextCursor": null
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["MySession"][];
                        page: components["schemas"]["Page"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ForbiddenOrTenantSuspended"];
            413: components["responses"]["PayloadTooLarge"];
            422: components["responses"]["ValidationError"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            502: components["responses"]["UpstreamUnavailable"];
            503: components["responses"]["ServiceUnavailable"];
            504: components["responses"]["UpstreamTimeout"];
        };
    };
    endMySession: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description An id of `/v1/me/sessions`
                 * @example 0198c5a2-0000-7000-8000-000000000001
                 */
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
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "id": "0198c5a2-0000-7000-8000-000000000030",
                     *         "ended": true
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: {
                            /** Format: uuid */
                            id: string;
                            /** @constant */
                            ended: true;
                        };
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ForbiddenOrTenantSuspended"];
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
    listApiKeys: {
        parameters: {
            query?: {
                /**
                 * @description The most items of a page.
                 * @example 25
                 */
                limit?: number;
                /** @description `page.nextCursor` of the page before. */
                cursor?: string;
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
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    Link: components["headers"]["Link"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": [
                     *         {
                     *           "id": "0198c5a2-0000-7000-8000-000000000026",
                     *           "keyId": "EXAMPLEKEYID",
                     *           "label": "Partner",
                     *           "scopes": [
                     *             "read:crm"
                     *           ],
                     *           "expiresAt": null,
                     *           "revokedAt": null,
                     *           "lastUsedAt": "2026-08-20T09:30:00.000Z",
                     *           "createdAt": "2026-08-20T09:50:00.000Z"
                     *         },
                     *         {
                     *           "id": "0198c5a2-0000-7000-8000-000000000003",
                     *           "keyId": "EXAMPLEKEYID",
                     *           "label": "Warehouse system",
                     *           "scopes": [
                     *             "read:crm",
                     *             "write:crm",
                     *             "write:crm_bulk",
                     *             "read:content",
                     *             "write:content"
                     *           ],
                     *           "expiresAt": null,
                     *           "revokedAt": null,
                     *           "lastUsedAt": "2026-08-20T09:30:00.000Z",
                     *           "createdAt": "2026-08-20T09:37:00.000Z"
                     *         }
                     *       ],
                     *       "page": {
                     *         "nextCursor": null
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["ApiKey"][];
                        page: components["schemas"]["Page"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ForbiddenOrTenantSuspended"];
            413: components["responses"]["PayloadTooLarge"];
            422: components["responses"]["ValidationError"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            502: components["responses"]["UpstreamUnavailable"];
            503: components["responses"]["ServiceUnavailable"];
            504: components["responses"]["UpstreamTimeout"];
        };
    };
    createApiKey: {
        parameters: {
            query?: never;
            header?: {
                /** @description Chosen by the caller, for one request. For 24 hours, the same request with the same key gets the first response again, with `Idempotent-Replayed: true`; another body is 422 `idempotency_key_reused`. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "label": "Warehouse system",
                 *       "scopes": [
                 *         "read:crm",
                 *         "write:crm",
                 *         "write:crm_bulk",
                 *         "read:content",
                 *         "write:content"
                 *       ]
                 *     }
                 */
                "application/json": {
                    label: string;
                    scopes: ("read:crm" | "write:crm" | "write:crm_bulk" | "read:content" | "write:content")[];
                    /** @description In the future; null for a key that does not expire */
                    expiresAt?: string | null;
                };
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    Location: components["headers"]["Location"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "id": "0198c5a2-0000-7000-8000-000000000003",
                     *         "keyId": "EXAMPLEKEYID",
                     *         "label": "Warehouse system",
                     *         "scopes": [
                     *           "read:crm",
                     *           "write:crm",
                     *           "write:crm_bulk",
                     *           "read:content",
                     *           "write:content"
                     *         ],
                     *         "expiresAt": null,
                     *         "revokedAt": null,
                     *         "lastUsedAt": "2026-08-20T09:30:00.000Z",
                     *         "createdAt": "2026-08-20T09:37:00.000Z",
                     *         "key": "sk_live_EXAMPLEKEYID_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["NewApiKey"];
                    };
                };
            };
            400: components["responses"]["BadRequestOrInvalidJson"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ForbiddenOrTenantSuspended"];
            409: components["responses"]["ApiKeyLimit"];
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
    getApiKey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description An id of `/v1/api-keys`
                 * @example 0198c5a2-0000-7000-8000-000000000001
                 */
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
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "id": "0198c5a2-0000-7000-8000-000000000026",
                     *         "keyId": "EXAMPLEKEYID",
                     *         "label": "Partner",
                     *         "scopes": [
                     *           "read:crm"
                     *         ],
                     *         "expiresAt": null,
                     *         "revokedAt": null,
                     *         "lastUsedAt": "2026-08-20T09:30:00.000Z",
                     *         "createdAt": "2026-08-20T09:50:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["ApiKey"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ForbiddenOrTenantSuspended"];
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
    revokeApiKey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description An id of `/v1/api-keys`
                 * @example 0198c5a2-0000-7000-8000-000000000001
                 */
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
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "id": "0198c5a2-0000-7000-8000-000000000026",
                     *         "keyId": "EXAMPLEKEYID",
                     *         "label": "Partner, read only",
                     *         "scopes": [
                     *           "read:crm"
                     *         ],
                     *         "expiresAt": "2026-08-22T09:30:00.000Z",
                     *         "revokedAt": "2026-08-20T09:52:00.000Z",
                     *         "lastUsedAt": "2026-08-20T09:30:00.000Z",
                     *         "createdAt": "2026-08-20T09:50:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["ApiKey"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ForbiddenOrTenantSuspended"];
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
    updateApiKey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description An id of `/v1/api-keys`
                 * @example 0198c5a2-0000-7000-8000-000000000001
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "label": "Partner, read only"
                 *     }
                 */
                "application/json": {
                    label?: string;
                    expiresAt?: string | null;
                };
                "application/merge-patch+json": {
                    label?: string;
                    expiresAt?: string | null;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "id": "0198c5a2-0000-7000-8000-000000000026",
                     *         "keyId": "EXAMPLEKEYID",
                     *         "label": "Partner, read only",
                     *         "scopes": [
                     *           "read:crm"
                     *         ],
                     *         "expiresAt": null,
                     *         "revokedAt": null,
                     *         "lastUsedAt": "2026-08-20T09:30:00.000Z",
                     *         "createdAt": "2026-08-20T09:50:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["ApiKey"];
                    };
                };
            };
            400: components["responses"]["BadRequestOrInvalidJson"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ForbiddenOrTenantSuspended"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["KeyRevoked"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["ValidationError"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            502: components["responses"]["UpstreamUnavailable"];
            503: components["responses"]["ServiceUnavailable"];
            504: components["responses"]["UpstreamTimeout"];
        };
    };
    rotateApiKey: {
        parameters: {
            query?: never;
            header?: {
                /** @description Chosen by the caller, for one request. For 24 hours, the same request with the same key gets the first response again, with `Idempotent-Replayed: true`; another body is 422 `idempotency_key_reused`. */
                "Idempotency-Key"?: string;
            };
            path: {
                /**
                 * @description An id of `/v1/api-keys`
                 * @example 0198c5a2-0000-7000-8000-000000000001
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "overlapHours": 48
                 *     }
                 */
                "application/json": {
                    /**
                     * @description How long the old key works, in hours
                     * @default 24
                     */
                    overlapHours?: number | null;
                };
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    Location: components["headers"]["Location"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "id": "0198c5a2-0000-7000-8000-000000000027",
                     *         "keyId": "EXAMPLEKEYID",
                     *         "label": "Partner, read only",
                     *         "scopes": [
                     *           "read:crm"
                     *         ],
                     *         "expiresAt": null,
                     *         "revokedAt": null,
                     *         "lastUsedAt": "2026-08-20T09:30:00.000Z",
                     *         "createdAt": "2026-08-20T09:51:00.000Z",
                     *         "key": "sk_live_EXAMPLEKEYID_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx",
                     *         "rotatedFrom": "0198c5a2-0000-7000-8000-000000000026"
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["RotatedApiKey"];
                    };
                };
            };
            400: components["responses"]["BadRequestOrInvalidJson"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ForbiddenOrTenantSuspended"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["ApiKeyLimitOrConflictOrKeyRevokedOrRotationInProgress"];
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
    listUsers: {
        parameters: {
            query?: {
                /**
                 * @description The most items of a page.
                 * @example 25
                 */
                limit?: number;
                /** @description `page.nextCursor` of the page before. */
                cursor?: string;
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
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    Link: components["headers"]["Link"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": [
                     *         {
                     *           "id": "0198c5a2-0000-7000-8000-000000000028",
                     *           "email": "grace@harbour-goods.example",
                     *           "name": "Grace Hopper",
                     *           "role": "editor",
                     *           "active": true,
                     *           "createdAt": "2026-08-20T09:53:00.000Z",
                     *           "state": "active"
                     *         },
                     *         {
                     *           "id": "0198c5a2-0000-7000-8000-000000000001",
                     *           "email": "owner@harbour-goods.example",
                     *           "name": "Harbour Goods owner",
                     *           "role": "owner",
                     *           "active": true,
                     *           "createdAt": "2026-08-20T09:36:00.000Z",
                     *           "state": "active"
                     *         }
                     *       ],
                     *       "page": {
                     *         "nextCursor": null
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["User"][];
                        page: components["schemas"]["Page"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ForbiddenOrTenantSuspended"];
            413: components["responses"]["PayloadTooLarge"];
            422: components["responses"]["ValidationError"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            502: components["responses"]["UpstreamUnavailable"];
            503: components["responses"]["ServiceUnavailable"];
            504: components["responses"]["UpstreamTimeout"];
        };
    };
    createUser: {
        parameters: {
            query?: never;
            header?: {
                /** @description Chosen by the caller, for one request. For 24 hours, the same request with the same key gets the first response again, with `Idempotent-Replayed: true`; another body is 422 `idempotency_key_reused`. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "email": "grace@harbour-goods.example",
                 *       "name": "Grace Hopper",
                 *       "role": "editor"
                 *     }
                 */
                "application/json": {
                    /** Format: email */
                    email: string;
                    name: string;
                    /** @enum {string} */
                    role: "viewer" | "editor" | "admin" | "owner";
                    /** @description Without one, the user gets a set-up link */
                    password?: string | null;
                };
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "id": "0198c5a2-0000-7000-8000-000000000028",
                     *         "email": "grace@harbour-goods.example",
                     *         "name": "Grace Hopper",
                     *         "role": "editor",
                     *         "active": true,
                     *         "createdAt": "2026-08-20T09:53:00.000Z",
                     *         "state": "invited",
                     *         "setup": {
                     *           "token": "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx",
                     *           "expiresAt": "2026-08-21T09:30:00.000Z"
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["NewUser"];
                    };
                };
            };
            400: components["responses"]["BadRequestOrInvalidJson"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ForbiddenOrTenantSuspended"];
            409: components["responses"]["EmailTaken"];
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
    deleteUser: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description An id of `/v1/users`
                 * @example 0198c5a2-0000-7000-8000-000000000001
                 */
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
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "id": "0198c5a2-0000-7000-8000-000000000028",
                     *         "deleted": true
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: {
                            /** Format: uuid */
                            id: string;
                            /** @constant */
                            deleted: true;
                        };
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ForbiddenOrTenantSuspended"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["LastOwner"];
            413: components["responses"]["PayloadTooLarge"];
            422: components["responses"]["ValidationError"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            502: components["responses"]["UpstreamUnavailable"];
            503: components["responses"]["ServiceUnavailable"];
            504: components["responses"]["UpstreamTimeout"];
        };
    };
    updateUser: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description An id of `/v1/users`
                 * @example 0198c5a2-0000-7000-8000-000000000001
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "role": "admin"
                 *     }
                 */
                "application/json": {
                    name?: string;
                    /** @enum {string} */
                    role?: "viewer" | "editor" | "admin" | "owner";
                    active?: boolean;
                    password?: string;
                };
                "application/merge-patch+json": {
                    name?: string;
                    /** @enum {string} */
                    role?: "viewer" | "editor" | "admin" | "owner";
                    active?: boolean;
                    password?: string;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "id": "0198c5a2-0000-7000-8000-000000000028",
                     *         "email": "grace@harbour-goods.example",
                     *         "name": "Grace Hopper",
                     *         "role": "admin",
                     *         "active": true,
                     *         "createdAt": "2026-08-20T09:53:00.000Z",
                     *         "state": "active"
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["User"];
                    };
                };
            };
            400: components["responses"]["BadRequestOrInvalidJson"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ForbiddenOrTenantSuspended"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["LastOwner"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["ValidationError"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            502: components["responses"]["UpstreamUnavailable"];
            503: components["responses"]["ServiceUnavailable"];
            504: components["responses"]["UpstreamTimeout"];
        };
    };
    createSetupLink: {
        parameters: {
            query?: never;
            header?: {
                /** @description Chosen by the caller, for one request. For 24 hours, the same request with the same key gets the first response again, with `Idempotent-Replayed: true`; another body is 422 `idempotency_key_reused`. */
                "Idempotency-Key"?: string;
            };
            path: {
                /**
                 * @description An id of `/v1/users`
                 * @example 0198c5a2-0000-7000-8000-000000000001
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": Record<string, never>;
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "token": "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx",
                     *         "expiresAt": "2026-08-21T09:30:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["SetupLink"];
                    };
                };
            };
            400: components["responses"]["BadRequestOrInvalidJson"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ForbiddenOrTenantSuspended"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
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
    listUserSessions: {
        parameters: {
            query?: {
                /**
                 * @description The most items of a page.
                 * @example 25
                 */
                limit?: number;
                /** @description `page.nextCursor` of the page before. */
                cursor?: string;
            };
            header?: never;
            path: {
                /**
                 * @description An id of `/v1/users`
                 * @example 0198c5a2-0000-7000-8000-000000000001
                 */
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
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    Link: components["headers"]["Link"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": [
                     *         {
                     *           "id": "0198c5a2-0000-7000-8000-000000000029",
                     *           "createdAt": "2026-08-20T09:55:00.000Z",
                     *           "lastUsedAt": "2026-08-20T09:30:00.000Z",
                     *           "expiresAt": "2026-09-19T09:30:00.000Z",
                     *           "ip": "127.0.0.1",
                     *           "userAgent": "harbour-goods/1.4"
                     *         }
                     *       ],
                     *       "page": {
                     *         "nextCursor": null
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["UserSession"][];
                        page: components["schemas"]["Page"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ForbiddenOrTenantSuspended"];
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
    endUserSessions: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description An id of `/v1/users`
                 * @example 0198c5a2-0000-7000-8000-000000000001
                 */
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
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "endedSessions": 1
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: {
                            /** @description The number of sessions that ended */
                            endedSessions: number;
                        };
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ForbiddenOrTenantSuspended"];
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
    listModules: {
        parameters: {
            query?: never;
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
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": [
                     *         {
                     *           "name": "content",
                     *           "active": true
                     *         },
                     *         {
                     *           "name": "crm",
                     *           "active": true
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["Module"][];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ForbiddenOrTenantSuspended"];
            413: components["responses"]["PayloadTooLarge"];
            422: components["responses"]["ValidationError"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            502: components["responses"]["UpstreamUnavailable"];
            503: components["responses"]["ServiceUnavailable"];
            504: components["responses"]["UpstreamTimeout"];
        };
    };
    setModule: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The module.
                 * @example crm
                 */
                name: "crm" | "content";
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "active": true
                 *     }
                 */
                "application/json": {
                    active: boolean;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "name": "content",
                     *         "active": true
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["Module"];
                    };
                };
            };
            400: components["responses"]["BadRequestOrInvalidJson"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ForbiddenOrTenantSuspended"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["ValidationError"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            502: components["responses"]["UpstreamUnavailable"];
            503: components["responses"]["ServiceUnavailable"];
            504: components["responses"]["UpstreamTimeout"];
        };
    };
    listAuditLog: {
        parameters: {
            query?: {
                /**
                 * @description The most items of a page.
                 * @example 25
                 */
                limit?: number;
                /** @description `page.nextCursor` of the page before. */
                cursor?: string;
                /**
                 * @description Only entries of this action, such as `api_key.created`.
                 * @example order.refunded
                 */
                action?: string;
                /**
                 * @description Only what this key or user did.
                 * @example 0198c5a2-0000-7000-8000-000000000001
                 */
                actorId?: string;
                /**
                 * @description Only what was done to this resource.
                 * @example 0198c5a2-0000-7000-8000-000000000001
                 */
                targetId?: string;
                /**
                 * @description Inclusive.
                 * @example 2026-08-20T09:30:00Z
                 */
                after?: string;
                /**
                 * @description Exclusive.
                 * @example 2026-08-20T09:30:00Z
                 */
                before?: string;
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
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    Link: components["headers"]["Link"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": [
                     *         {
                     *           "id": "0198c5a2-0000-7000-8000-000000000031",
                     *           "at": "2026-08-20T09:58:00.000Z",
                     *           "actor": {
                     *             "type": "user",
                     *             "id": "0198c5a2-0000-7000-8000-000000000001",
                     *             "name": "Harbour Goods owner"
                     *           },
                     *           "action": "user.deleted",
                     *           "target": {
                     *             "type": "user",
                     *             "id": "0198c5a2-0000-7000-8000-000000000028"
                     *           },
                     *           "changes": {
                     *             "role": "admin",
                     *             "email": "grace@harbour-goods.example"
                     *           },
                     *           "requestId": "0198c5a2-0000-7000-8000-000000000032",
                     *           "ip": "127.0.0.1",
                     *           "userAgent": "harbour-goods/1.4"
                     *         },
                     *         {
                     *           "id": "0198c5a2-0000-7000-8000-000000000033",
                     *           "at": "2026-08-20T09:57:00.000Z",
                     *           "actor": {
                     *             "type": "user",
                     *             "id": "0198c5a2-0000-7000-8000-000000000001",
                     *             "name": "Harbour Goods owner"
                     *           },
                     *           "action": "user.sessions_ended",
                     *           "target": {
                     *             "type": "user",
                     *             "id": "0198c5a2-0000-7000-8000-000000000028"
                     *           },
                     *           "changes": {
                     *             "endedCount": 1
                     *           },
                     *           "requestId": "0198c5a2-0000-7000-8000-000000000034",
                     *           "ip": "127.0.0.1",
                     *           "userAgent": "harbour-goods/1.4"
                     *         },
                     *         {
                     *           "id": "0198c5a2-0000-7000-8000-000000000035",
                     *           "at": "2026-08-20T09:56:00.000Z",
                     *           "actor": {
                     *             "type": "user",
                     *             "id": "0198c5a2-0000-7000-8000-000000000001",
                     *             "name": "Harbour Goods owner"
                     *           },
                     *           "action": "user.updated",
                     *           "target": {
                     *             "type": "user",
                     *             "id": "0198c5a2-0000-7000-8000-000000000028"
                     *           },
                     *           "changes": {
                     *             "role": {
                     *               "to": "admin",
                     *               "from": "editor"
                     *             }
                     *           },
                     *           "requestId": "0198c5a2-0000-7000-8000-000000000036",
                     *           "ip": "127.0.0.1",
                     *           "userAgent": "harbour-goods/1.4"
                     *         }
                     *       ],
                     *       "page": {
                     *         "nextCursor": "MjAyNi0wOC0yMFQwOTozMDowMC4wMDBa"
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["AuditEntry"][];
                        page: components["schemas"]["Page"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ForbiddenOrTenantSuspended"];
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
                /**
                 * @description The most items of a page.
                 * @example 25
                 */
                limit?: number;
                /** @description `page.nextCursor` of the page before. */
                cursor?: string;
                /**
                 * @description Only orders with one of these statuses.
                 * @example [
                 *       "placed"
                 *     ]
                 */
                status?: ("placed" | "fulfilled" | "delivered" | "cancelled")[];
                /**
                 * @description Only orders with one of these payment statuses.
                 * @example [
                 *       "unpaid"
                 *     ]
                 */
                paymentStatus?: ("unpaid" | "failed" | "paid" | "partially_refunded" | "refunded")[];
                /**
                 * @description Only orders of this customer.
                 * @example 0198c5a2-0000-7000-8000-000000000004
                 */
                customerId?: string;
                /**
                 * @description Only orders that came in this way.
                 * @example storefront
                 */
                channel?: "storefront" | "b2b_portal" | "admin" | "import" | "mcp";
                /**
                 * @description Only orders of this property.
                 * @example lisbon
                 */
                propertyId?: string;
                /**
                 * @description The channel's own id of the order.
                 * @example c-204
                 */
                externalId?: string;
                /**
                 * @description Exactly this number.
                 * @example 1001
                 */
                orderNumber?: string;
                /**
                 * @description Only orders with these ids.
                 * @example [
                 *       "0198c5a2-0000-7000-8000-000000000001"
                 *     ]
                 */
                ids?: string[];
                /**
                 * @description Inclusive.
                 * @example 2026-08-20T09:30:00Z
                 */
                createdAfter?: string;
                /**
                 * @description Exclusive.
                 * @example 2026-08-20T09:30:00Z
                 */
                createdBefore?: string;
                /**
                 * @description The time of the latest change, inclusive.
                 * @example 2026-08-20T09:30:00Z
                 */
                updatedAfter?: string;
                /**
                 * @description The time of the latest change, exclusive.
                 * @example 2026-08-20T09:30:00Z
                 */
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
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    Link: components["headers"]["Link"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": [
                     *         {
                     *           "id": "0198c5a2-0000-7000-8000-000000000008",
                     *           "orderNumber": "1002",
                     *           "createdAt": "2026-08-20T09:47:00.000Z",
                     *           "updatedAt": "2026-08-20T09:48:00.000Z",
                     *           "status": "cancelled",
                     *           "paymentStatus": "unpaid",
                     *           "currency": "USD",
                     *           "total": 65.97,
                     *           "paidTotal": 0,
                     *           "refundedTotal": 0,
                     *           "customerId": "0198c5a2-0000-7000-8000-000000000004",
                     *           "channel": "admin",
                     *           "subtotal": 59.97,
                     *           "shippingTotal": 0,
                     *           "discountTotal": 0,
                     *           "taxTotal": 6,
                     *           "payableTotal": 65.97,
                     *           "amountDue": 0,
                     *           "allowedActions": [],
                     *           "items": [
                     *             {
                     *               "id": "0198c5a2-0000-7000-8000-000000000009",
                     *               "sku": "MUG-BLUE",
                     *               "name": "Mug, blue",
                     *               "quantity": 3,
                     *               "unitPrice": 19.99,
                     *               "subtotal": 59.97,
                     *               "taxAmount": 6
                     *             }
                     *           ],
                     *           "cancelReason": "Out of stock.",
                     *           "version": 2
                     *         }
                     *       ],
                     *       "page": {
                     *         "nextCursor": "MjAyNi0wOC0yMFQwOTozMDowMC4wMDBa"
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["Order"][];
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
                /** @description Chosen by the caller, for one request. For 24 hours, the same request with the same key gets the first response again, with `Idempotent-Replayed: true`; another body is 422 `idempotency_key_reused`. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "customerId": "0198c5a2-0000-7000-8000-000000000004",
                 *       "items": [
                 *         {
                 *           "sku": "MUG-BLUE",
                 *           "name": "Mug, blue",
                 *           "quantity": 3,
                 *           "unitPrice": 19.99,
                 *           "taxAmount": 6
                 *         }
                 *       ],
                 *       "currency": "USD",
                 *       "channel": "storefront",
                 *       "externalId": "web-5012",
                 *       "shippingTotal": 4.5,
                 *       "shippingAddress": {
                 *         "line1": "1 Harbour Street",
                 *         "city": "Lisbon",
                 *         "postalCode": "1100-148",
                 *         "country": "PT"
                 *       },
                 *       "customerNote": "Please ring twice.",
                 *       "metadata": {
                 *         "basket": "b-77"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["NewOrder"];
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    ETag: components["headers"]["ETag"];
                    Location: components["headers"]["Location"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "id": "0198c5a2-0000-7000-8000-000000000006",
                     *         "orderNumber": "1001",
                     *         "createdAt": "2026-08-20T09:41:00.000Z",
                     *         "updatedAt": "2026-08-20T09:41:00.000Z",
                     *         "status": "placed",
                     *         "paymentStatus": "unpaid",
                     *         "currency": "USD",
                     *         "total": 70.47,
                     *         "paidTotal": 0,
                     *         "refundedTotal": 0,
                     *         "customerId": "0198c5a2-0000-7000-8000-000000000004",
                     *         "channel": "storefront",
                     *         "subtotal": 59.97,
                     *         "shippingTotal": 4.5,
                     *         "discountTotal": 0,
                     *         "taxTotal": 6,
                     *         "payableTotal": 70.47,
                     *         "amountDue": 70.47,
                     *         "allowedActions": [
                     *           "payments",
                     *           "fulfill",
                     *           "cancel"
                     *         ],
                     *         "items": [
                     *           {
                     *             "id": "0198c5a2-0000-7000-8000-000000000007",
                     *             "sku": "MUG-BLUE",
                     *             "name": "Mug, blue",
                     *             "quantity": 3,
                     *             "unitPrice": 19.99,
                     *             "subtotal": 59.97,
                     *             "taxAmount": 6
                     *           }
                     *         ],
                     *         "externalId": "web-5012",
                     *         "shippingAddress": {
                     *           "line1": "1 Harbour Street",
                     *           "city": "Lisbon",
                     *           "postalCode": "1100-148",
                     *           "country": "PT"
                     *         },
                     *         "customerNote": "Please ring twice.",
                     *         "metadata": {
                     *           "basket": "b-77"
                     *         },
                     *         "version": 1
                     *       }
                     *     }
                     */
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
            404: components["responses"]["NotFound"];
            409: components["responses"]["OrderExistsOrOrderNumberTaken"];
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
    importOrders: {
        parameters: {
            query?: never;
            header?: {
                /** @description Chosen by the caller, for one request. For 24 hours, the same request with the same key gets the first response again, with `Idempotent-Replayed: true`; another body is 422 `idempotency_key_reused`. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "orders": [
                 *         {
                 *           "customerId": "0198c5a2-0000-7000-8000-000000000004",
                 *           "items": [
                 *             {
                 *               "sku": "MUG-BLUE",
                 *               "name": "Mug, blue",
                 *               "quantity": 3,
                 *               "unitPrice": 19.99,
                 *               "taxAmount": 6
                 *             }
                 *           ],
                 *           "channel": "import",
                 *           "orderNumber": "OLD-17"
                 *         },
                 *         {
                 *           "customerId": "0198c5a2-0000-7000-8000-000000000004",
                 *           "items": [
                 *             {
                 *               "sku": "MUG-BLUE",
                 *               "name": "Mug, blue",
                 *               "quantity": 3,
                 *               "unitPrice": 19.99,
                 *               "taxAmount": 6
                 *             }
                 *           ],
                 *           "channel": "import",
                 *           "orderNumber": "1001"
                 *         }
                 *       ]
                 *     }
                 */
                "application/json": {
                    orders: components["schemas"]["NewOrder"][];
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": [
                     *         {
                     *           "index": 0,
                     *           "success": true,
                     *           "data": {
                     *             "id": "0198c5a2-0000-7000-8000-000000000010",
                     *             "orderNumber": "OLD-17",
                     *             "createdAt": "2026-08-20T09:49:00.000Z",
                     *             "updatedAt": "2026-08-20T09:49:00.000Z",
                     *             "status": "placed",
                     *             "paymentStatus": "unpaid",
                     *             "currency": "USD",
                     *             "total": 65.97,
                     *             "paidTotal": 0,
                     *             "refundedTotal": 0,
                     *             "customerId": "0198c5a2-0000-7000-8000-000000000004",
                     *             "channel": "import",
                     *             "subtotal": 59.97,
                     *             "shippingTotal": 0,
                     *             "discountTotal": 0,
                     *             "taxTotal": 6,
                     *             "payableTotal": 65.97,
                     *             "amountDue": 65.97,
                     *             "allowedActions": [
                     *               "payments",
                     *               "fulfill",
                     *               "cancel"
                     *             ],
                     *             "items": [
                     *               {
                     *                 "id": "0198c5a2-0000-7000-8000-000000000011",
                     *                 "sku": "MUG-BLUE",
                     *                 "name": "Mug, blue",
                     *                 "quantity": 3,
                     *                 "unitPrice": 19.99,
                     *                 "subtotal": 59.97,
                     *                 "taxAmount": 6
                     *               }
                     *             ],
                     *             "version": 1
                     *           }
                     *         },
                     *         {
                     *           "index": 1,
                     *           "success": false,
                     *           "error": {
                     *             "code": "order_number_taken",
                     *             "message": "Another order has this orderNumber.",
                     *             "requestId": "0198c5a2-0000-7000-8000-000000000012",
                     *             "orderId": "0198c5a2-0000-7000-8000-000000000006"
                     *           }
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["ImportResult"][];
                    };
                };
            };
            400: components["responses"]["BadRequestOrInvalidJson"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ForbiddenOrModuleDisabledOrTenantSuspended"];
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
    listOrderEvents: {
        parameters: {
            query?: {
                /**
                 * @description A `page.nextCursor` of this feed, or `now` for its end. Without it, the oldest event that is kept.
                 * @example now
                 */
                after?: string;
                /**
                 * @description Only events of these types, separated by commas. All types by default.
                 * @example [
                 *       "order.placed"
                 *     ]
                 */
                types?: ("order.placed" | "order.paid" | "order.payment_failed" | "order.fulfilled" | "order.delivered" | "order.cancelled" | "order.refunded" | "order.updated")[];
                /**
                 * @description The most items of a page.
                 * @example 25
                 */
                limit?: number;
                /**
                 * @description If there is no event, the response waits at most this long for the first one.
                 * @example 0
                 */
                waitSeconds?: number;
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
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": [
                     *         {
                     *           "id": "0198c5a2-0000-7000-8000-000000000024",
                     *           "type": "order.placed",
                     *           "occurredAt": "2026-08-20T09:41:00.000Z",
                     *           "requestId": "0198c5a2-0000-7000-8000-000000000025",
                     *           "actor": {
                     *             "type": "api_key",
                     *             "id": "0198c5a2-0000-7000-8000-000000000003",
                     *             "name": "Warehouse system"
                     *           },
                     *           "data": {
                     *             "order": {
                     *               "id": "0198c5a2-0000-7000-8000-000000000006",
                     *               "orderNumber": "1001",
                     *               "createdAt": "2026-08-20T09:41:00.000Z",
                     *               "updatedAt": "2026-08-20T09:41:00.000Z",
                     *               "status": "placed",
                     *               "paymentStatus": "unpaid",
                     *               "currency": "USD",
                     *               "total": 70.47,
                     *               "paidTotal": 0,
                     *               "refundedTotal": 0,
                     *               "customerId": "0198c5a2-0000-7000-8000-000000000004",
                     *               "channel": "storefront",
                     *               "subtotal": 59.97,
                     *               "shippingTotal": 4.5,
                     *               "discountTotal": 0,
                     *               "taxTotal": 6,
                     *               "payableTotal": 70.47,
                     *               "amountDue": 70.47,
                     *               "allowedActions": [
                     *                 "payments",
                     *                 "fulfill",
                     *                 "cancel"
                     *               ],
                     *               "items": [
                     *                 {
                     *                   "id": "0198c5a2-0000-7000-8000-000000000007",
                     *                   "sku": "MUG-BLUE",
                     *                   "name": "Mug, blue",
                     *                   "quantity": 3,
                     *                   "unitPrice": 19.99,
                     *                   "subtotal": 59.97,
                     *                   "taxAmount": 6
                     *                 }
                     *               ],
                     *               "externalId": "web-5012",
                     *               "shippingAddress": {
                     *                 "line1": "1 Harbour Street",
                     *                 "city": "Lisbon",
                     *                 "postalCode": "1100-148",
                     *                 "country": "PT"
                     *               },
                     *               "customerNote": "Please ring twice.",
                     *               "metadata": {
                     *                 "basket": "b-77"
                     *               },
                     *               "version": 1
                     *             }
                     *           }
                     *         },
                     *         {
                     *           "id": "0198c5a2-0000-7000-8000-000000000013",
                     *           "type": "order.refunded",
                     *           "occurredAt": "2026-08-20T09:46:00.000Z",
                     *           "requestId": "0198c5a2-0000-7000-8000-000000000014",
                     *           "actor": {
                     *             "type": "api_key",
                     *             "id": "0198c5a2-0000-7000-8000-000000000003",
                     *             "name": "Warehouse system"
                     *           },
                     *           "data": {
                     *             "order": {
                     *               "id": "0198c5a2-0000-7000-8000-000000000006",
                     *               "orderNumber": "1001",
                     *               "createdAt": "2026-08-20T09:41:00.000Z",
                     *               "updatedAt": "2026-08-20T09:46:00.000Z",
                     *               "status": "delivered",
                     *               "paymentStatus": "partially_refunded",
                     *               "currency": "USD",
                     *               "total": 70.47,
                     *               "paidTotal": 70.47,
                     *               "refundedTotal": 19.99,
                     *               "customerId": "0198c5a2-0000-7000-8000-000000000004",
                     *               "channel": "storefront",
                     *               "subtotal": 59.97,
                     *               "shippingTotal": 4.5,
                     *               "discountTotal": 0,
                     *               "taxTotal": 6,
                     *               "payableTotal": 70.47,
                     *               "amountDue": 0,
                     *               "allowedActions": [
                     *                 "refund"
                     *               ],
                     *               "items": [
                     *                 {
                     *                   "id": "0198c5a2-0000-7000-8000-000000000007",
                     *                   "sku": "MUG-BLUE",
                     *                   "name": "Mug, blue",
                     *                   "quantity": 3,
                     *                   "unitPrice": 19.99,
                     *                   "subtotal": 59.97,
                     *                   "taxAmount": 6
                     *                 }
                     *               ],
                     *               "externalId": "web-5012",
                     *               "shippingAddress": {
                     *                 "line1": "1 Harbour Street",
                     *                 "city": "Lisbon",
                     *                 "postalCode": "1100-148",
                     *                 "country": "PT"
                     *               },
                     *               "customerNote": "Please ring twice.",
                     *               "metadata": {
                     *                 "basket": "b-77"
                     *               },
                     *               "trackingNumber": "1Z999",
                     *               "carrier": "UPS",
                     *               "version": 6
                     *             },
                     *             "refund": {
                     *               "id": "0198c5a2-0000-7000-8000-000000000015",
                     *               "amount": 19.99,
                     *               "reason": "One mug was broken.",
                     *               "reference": "re_1"
                     *             }
                     *           }
                     *         }
                     *       ],
                     *       "page": {
                     *         "nextCursor": "MjAyNi0wOC0yMFQwOTozMDowMC4wMDBa",
                     *         "hasMore": true
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: (components["schemas"]["OrderPlacedEvent"] | components["schemas"]["OrderPaidEvent"] | components["schemas"]["OrderPaymentFailedEvent"] | components["schemas"]["OrderFulfilledEvent"] | components["schemas"]["OrderDeliveredEvent"] | components["schemas"]["OrderCancelledEvent"] | components["schemas"]["OrderRefundedEvent"] | components["schemas"]["OrderUpdatedEvent"])[];
                        page: components["schemas"]["FeedPage"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ForbiddenOrModuleDisabledOrTenantSuspended"];
            410: components["responses"]["CursorExpired"];
            413: components["responses"]["PayloadTooLarge"];
            422: components["responses"]["ValidationError"];
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
                /**
                 * @description An `ETag`. While it is the current one, the response is 304.
                 * @example "0"
                 */
                "If-None-Match"?: string;
            };
            path: {
                /**
                 * @description An id of `/v1/orders`
                 * @example 0198c5a2-0000-7000-8000-000000000001
                 */
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
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "id": "0198c5a2-0000-7000-8000-000000000006",
                     *         "orderNumber": "1001",
                     *         "createdAt": "2026-08-20T09:41:00.000Z",
                     *         "updatedAt": "2026-08-20T09:46:00.000Z",
                     *         "status": "delivered",
                     *         "paymentStatus": "partially_refunded",
                     *         "currency": "USD",
                     *         "total": 70.47,
                     *         "paidTotal": 70.47,
                     *         "refundedTotal": 19.99,
                     *         "customerId": "0198c5a2-0000-7000-8000-000000000004",
                     *         "channel": "storefront",
                     *         "subtotal": 59.97,
                     *         "shippingTotal": 4.5,
                     *         "discountTotal": 0,
                     *         "taxTotal": 6,
                     *         "payableTotal": 70.47,
                     *         "amountDue": 0,
                     *         "allowedActions": [
                     *           "refund"
                     *         ],
                     *         "items": [
                     *           {
                     *             "id": "0198c5a2-0000-7000-8000-000000000007",
                     *             "sku": "MUG-BLUE",
                     *             "name": "Mug, blue",
                     *             "quantity": 3,
                     *             "unitPrice": 19.99,
                     *             "subtotal": 59.97,
                     *             "taxAmount": 6
                     *           }
                     *         ],
                     *         "externalId": "web-5012",
                     *         "shippingAddress": {
                     *           "line1": "1 Harbour Street",
                     *           "city": "Lisbon",
                     *           "postalCode": "1100-148",
                     *           "country": "PT"
                     *         },
                     *         "customerNote": "Please ring twice.",
                     *         "metadata": {
                     *           "basket": "b-77"
                     *         },
                     *         "trackingNumber": "1Z999",
                     *         "carrier": "UPS",
                     *         "version": 6,
                     *         "internalNote": "Wrap it as a gift."
                     *       }
                     *     }
                     */
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
    updateOrder: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The `ETag` of the version that is to be changed, a list of several, or `*`. Another version is 412 `version_mismatch`; a weak or malformed tag is 422.
                 * @example *
                 */
                "If-Match"?: string;
            };
            path: {
                /**
                 * @description An id of `/v1/orders`
                 * @example 0198c5a2-0000-7000-8000-000000000001
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "internalNote": "Wrap it as a gift."
                 *     }
                 */
                "application/json": {
                    customerNote?: string | null;
                    internalNote?: string | null;
                    /** @description Replaces the whole object; at most 64 KiB of JSON text */
                    metadata?: {
                        [key: string]: unknown;
                    } | null;
                    /** @description At most 8 KiB of JSON text */
                    shippingAddress?: ({
                        line1: string;
                        city: string;
                    } & {
                        [key: string]: unknown;
                    }) | null;
                    /** @description At most 8 KiB of JSON text */
                    billingAddress?: ({
                        line1: string;
                        city: string;
                    } & {
                        [key: string]: unknown;
                    }) | null;
                    trackingNumber?: string | null;
                    carrier?: string | null;
                };
                "application/merge-patch+json": {
                    customerNote?: string | null;
                    internalNote?: string | null;
                    /** @description Replaces the whole object; at most 64 KiB of JSON text */
                    metadata?: {
                        [key: string]: unknown;
                    } | null;
                    /** @description At most 8 KiB of JSON text */
                    shippingAddress?: ({
                        line1: string;
                        city: string;
                    } & {
                        [key: string]: unknown;
                    }) | null;
                    /** @description At most 8 KiB of JSON text */
                    billingAddress?: ({
                        line1: string;
                        city: string;
                    } & {
                        [key: string]: unknown;
                    }) | null;
                    trackingNumber?: string | null;
                    carrier?: string | null;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "id": "0198c5a2-0000-7000-8000-000000000006",
                     *         "orderNumber": "1001",
                     *         "createdAt": "2026-08-20T09:41:00.000Z",
                     *         "updatedAt": "2026-08-20T09:43:00.000Z",
                     *         "status": "placed",
                     *         "paymentStatus": "paid",
                     *         "currency": "USD",
                     *         "total": 70.47,
                     *         "paidTotal": 70.47,
                     *         "refundedTotal": 0,
                     *         "customerId": "0198c5a2-0000-7000-8000-000000000004",
                     *         "channel": "storefront",
                     *         "subtotal": 59.97,
                     *         "shippingTotal": 4.5,
                     *         "discountTotal": 0,
                     *         "taxTotal": 6,
                     *         "payableTotal": 70.47,
                     *         "amountDue": 0,
                     *         "allowedActions": [
                     *           "fulfill",
                     *           "refund"
                     *         ],
                     *         "items": [
                     *           {
                     *             "id": "0198c5a2-0000-7000-8000-000000000007",
                     *             "sku": "MUG-BLUE",
                     *             "name": "Mug, blue",
                     *             "quantity": 3,
                     *             "unitPrice": 19.99,
                     *             "subtotal": 59.97,
                     *             "taxAmount": 6
                     *           }
                     *         ],
                     *         "externalId": "web-5012",
                     *         "shippingAddress": {
                     *           "line1": "1 Harbour Street",
                     *           "city": "Lisbon",
                     *           "postalCode": "1100-148",
                     *           "country": "PT"
                     *         },
                     *         "customerNote": "Please ring twice.",
                     *         "metadata": {
                     *           "basket": "b-77"
                     *         },
                     *         "version": 3,
                     *         "internalNote": "Wrap it as a gift."
                     *       }
                     *     }
                     */
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
            404: components["responses"]["NotFound"];
            409: components["responses"]["InvalidTransition"];
            412: components["responses"]["VersionMismatch"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["ValidationError"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            502: components["responses"]["UpstreamUnavailable"];
            503: components["responses"]["ServiceUnavailable"];
            504: components["responses"]["UpstreamTimeout"];
        };
    };
    getOrderTimeline: {
        parameters: {
            query?: {
                /**
                 * @description The most items of a page.
                 * @example 25
                 */
                limit?: number;
                /** @description `page.nextCursor` of the page before. */
                cursor?: string;
            };
            header?: never;
            path: {
                /**
                 * @description An id of `/v1/orders`
                 * @example 0198c5a2-0000-7000-8000-000000000001
                 */
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
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    Link: components["headers"]["Link"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": [
                     *         {
                     *           "eventId": "0198c5a2-0000-7000-8000-000000000013",
                     *           "type": "order.refunded",
                     *           "createdAt": "2026-08-20T09:46:00.000Z",
                     *           "version": 6,
                     *           "status": "delivered",
                     *           "paymentStatus": "partially_refunded",
                     *           "actor": {
                     *             "type": "api_key",
                     *             "id": "0198c5a2-0000-7000-8000-000000000003",
                     *             "name": "Warehouse system"
                     *           },
                     *           "requestId": "0198c5a2-0000-7000-8000-000000000014",
                     *           "refund": {
                     *             "id": "0198c5a2-0000-7000-8000-000000000015",
                     *             "amount": 19.99,
                     *             "reason": "One mug was broken.",
                     *             "reference": "re_1"
                     *           }
                     *         },
                     *         {
                     *           "eventId": "0198c5a2-0000-7000-8000-000000000016",
                     *           "type": "order.delivered",
                     *           "createdAt": "2026-08-20T09:45:00.000Z",
                     *           "version": 5,
                     *           "status": "delivered",
                     *           "paymentStatus": "paid",
                     *           "actor": {
                     *             "type": "api_key",
                     *             "id": "0198c5a2-0000-7000-8000-000000000003",
                     *             "name": "Warehouse system"
                     *           },
                     *           "requestId": "0198c5a2-0000-7000-8000-000000000017"
                     *         },
                     *         {
                     *           "eventId": "0198c5a2-0000-7000-8000-000000000018",
                     *           "type": "order.fulfilled",
                     *           "createdAt": "2026-08-20T09:44:00.000Z",
                     *           "version": 4,
                     *           "status": "fulfilled",
                     *           "paymentStatus": "paid",
                     *           "actor": {
                     *             "type": "api_key",
                     *             "id": "0198c5a2-0000-7000-8000-000000000003",
                     *             "name": "Warehouse system"
                     *           },
                     *           "requestId": "0198c5a2-0000-7000-8000-000000000019",
                     *           "trackingNumber": "1Z999",
                     *           "carrier": "UPS"
                     *         },
                     *         {
                     *           "eventId": null,
                     *           "type": "order.updated",
                     *           "createdAt": "2026-08-20T09:43:00.000Z",
                     *           "version": 3,
                     *           "status": "placed",
                     *           "paymentStatus": "paid",
                     *           "actor": {
                     *             "type": "api_key",
                     *             "id": "0198c5a2-0000-7000-8000-000000000003",
                     *             "name": "Warehouse system"
                     *           },
                     *           "requestId": "0198c5a2-0000-7000-8000-000000000020",
                     *           "changed": [
                     *             "internalNote"
                     *           ]
                     *         },
                     *         {
                     *           "eventId": "0198c5a2-0000-7000-8000-000000000021",
                     *           "type": "order.paid",
                     *           "createdAt": "2026-08-20T09:42:00.000Z",
                     *           "version": 2,
                     *           "status": "placed",
                     *           "paymentStatus": "paid",
                     *           "actor": {
                     *             "type": "api_key",
                     *             "id": "0198c5a2-0000-7000-8000-000000000003",
                     *             "name": "Warehouse system"
                     *           },
                     *           "requestId": "0198c5a2-0000-7000-8000-000000000022",
                     *           "payment": {
                     *             "id": "0198c5a2-0000-7000-8000-000000000023",
                     *             "status": "succeeded",
                     *             "amount": 70.47,
                     *             "reference": "ch_1"
                     *           }
                     *         },
                     *         {
                     *           "eventId": "0198c5a2-0000-7000-8000-000000000024",
                     *           "type": "order.placed",
                     *           "createdAt": "2026-08-20T09:41:00.000Z",
                     *           "version": 1,
                     *           "status": "placed",
                     *           "paymentStatus": "unpaid",
                     *           "actor": {
                     *             "type": "api_key",
                     *             "id": "0198c5a2-0000-7000-8000-000000000003",
                     *             "name": "Warehouse system"
                     *           },
                     *           "requestId": "0198c5a2-0000-7000-8000-000000000025"
                     *         }
                     *       ],
                     *       "page": {
                     *         "nextCursor": null
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["TimelineEntry"][];
                        page: components["schemas"]["Page"];
                    };
                };
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
    listPayments: {
        parameters: {
            query?: {
                /**
                 * @description The most items of a page.
                 * @example 25
                 */
                limit?: number;
                /** @description `page.nextCursor` of the page before. */
                cursor?: string;
            };
            header?: never;
            path: {
                /**
                 * @description An id of `/v1/orders`
                 * @example 0198c5a2-0000-7000-8000-000000000001
                 */
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
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    Link: components["headers"]["Link"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": [
                     *         {
                     *           "kind": "refund",
                     *           "reference": "re_1",
                     *           "reason": "One mug was broken.",
                     *           "id": "0198c5a2-0000-7000-8000-000000000015",
                     *           "amount": 19.99,
                     *           "status": "succeeded",
                     *           "createdAt": "2026-08-20T09:46:00.000Z"
                     *         },
                     *         {
                     *           "kind": "payment",
                     *           "reference": "ch_1",
                     *           "reason": null,
                     *           "id": "0198c5a2-0000-7000-8000-000000000023",
                     *           "status": "succeeded",
                     *           "amount": 70.47,
                     *           "createdAt": "2026-08-20T09:42:00.000Z"
                     *         }
                     *       ],
                     *       "page": {
                     *         "nextCursor": null
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["Payment"][];
                        page: components["schemas"]["Page"];
                    };
                };
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
    recordPayment: {
        parameters: {
            query?: never;
            header?: {
                /** @description Chosen by the caller, for one request. For 24 hours, the same request with the same key gets the first response again, with `Idempotent-Replayed: true`; another body is 422 `idempotency_key_reused`. */
                "Idempotency-Key"?: string;
                /**
                 * @description The `ETag` of the version that is to be changed, a list of several, or `*`. Another version is 412 `version_mismatch`; a weak or malformed tag is 422.
                 * @example *
                 */
                "If-Match"?: string;
            };
            path: {
                /**
                 * @description An id of `/v1/orders`
                 * @example 0198c5a2-0000-7000-8000-000000000001
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "status": "succeeded",
                 *       "amount": 70.47,
                 *       "reference": "ch_1"
                 *     }
                 */
                "application/json": {
                    /** @enum {string} */
                    status: "succeeded" | "failed";
                    /** @description In units of the order's currency, with at most its decimals; the amount due by default */
                    amount?: number | null;
                    /** @description Names the payment in the system that made it */
                    reference?: string | null;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    ETag: components["headers"]["ETag"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "id": "0198c5a2-0000-7000-8000-000000000006",
                     *         "orderNumber": "1001",
                     *         "createdAt": "2026-08-20T09:41:00.000Z",
                     *         "updatedAt": "2026-08-20T09:42:00.000Z",
                     *         "status": "placed",
                     *         "paymentStatus": "paid",
                     *         "currency": "USD",
                     *         "total": 70.47,
                     *         "paidTotal": 70.47,
                     *         "refundedTotal": 0,
                     *         "customerId": "0198c5a2-0000-7000-8000-000000000004",
                     *         "channel": "storefront",
                     *         "subtotal": 59.97,
                     *         "shippingTotal": 4.5,
                     *         "discountTotal": 0,
                     *         "taxTotal": 6,
                     *         "payableTotal": 70.47,
                     *         "amountDue": 0,
                     *         "allowedActions": [
                     *           "fulfill",
                     *           "refund"
                     *         ],
                     *         "items": [
                     *           {
                     *             "id": "0198c5a2-0000-7000-8000-000000000007",
                     *             "sku": "MUG-BLUE",
                     *             "name": "Mug, blue",
                     *             "quantity": 3,
                     *             "unitPrice": 19.99,
                     *             "subtotal": 59.97,
                     *             "taxAmount": 6
                     *           }
                     *         ],
                     *         "externalId": "web-5012",
                     *         "shippingAddress": {
                     *           "line1": "1 Harbour Street",
                     *           "city": "Lisbon",
                     *           "postalCode": "1100-148",
                     *           "country": "PT"
                     *         },
                     *         "customerNote": "Please ring twice.",
                     *         "metadata": {
                     *           "basket": "b-77"
                     *         },
                     *         "version": 2
                     *       }
                     *     }
                     */
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
            404: components["responses"]["NotFound"];
            409: components["responses"]["OrderAlreadyPaidOrOrderCancelledOrReferenceReused"];
            412: components["responses"]["VersionMismatch"];
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
    fulfillOrder: {
        parameters: {
            query?: never;
            header?: {
                /** @description Chosen by the caller, for one request. For 24 hours, the same request with the same key gets the first response again, with `Idempotent-Replayed: true`; another body is 422 `idempotency_key_reused`. */
                "Idempotency-Key"?: string;
                /**
                 * @description The `ETag` of the version that is to be changed, a list of several, or `*`. Another version is 412 `version_mismatch`; a weak or malformed tag is 422.
                 * @example *
                 */
                "If-Match"?: string;
            };
            path: {
                /**
                 * @description An id of `/v1/orders`
                 * @example 0198c5a2-0000-7000-8000-000000000001
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "trackingNumber": "1Z999",
                 *       "carrier": "UPS"
                 *     }
                 */
                "application/json": {
                    trackingNumber?: string | null;
                    carrier?: string | null;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    ETag: components["headers"]["ETag"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "id": "0198c5a2-0000-7000-8000-000000000006",
                     *         "orderNumber": "1001",
                     *         "createdAt": "2026-08-20T09:41:00.000Z",
                     *         "updatedAt": "2026-08-20T09:44:00.000Z",
                     *         "status": "fulfilled",
                     *         "paymentStatus": "paid",
                     *         "currency": "USD",
                     *         "total": 70.47,
                     *         "paidTotal": 70.47,
                     *         "refundedTotal": 0,
                     *         "customerId": "0198c5a2-0000-7000-8000-000000000004",
                     *         "channel": "storefront",
                     *         "subtotal": 59.97,
                     *         "shippingTotal": 4.5,
                     *         "discountTotal": 0,
                     *         "taxTotal": 6,
                     *         "payableTotal": 70.47,
                     *         "amountDue": 0,
                     *         "allowedActions": [
                     *           "deliver",
                     *           "refund"
                     *         ],
                     *         "items": [
                     *           {
                     *             "id": "0198c5a2-0000-7000-8000-000000000007",
                     *             "sku": "MUG-BLUE",
                     *             "name": "Mug, blue",
                     *             "quantity": 3,
                     *             "unitPrice": 19.99,
                     *             "subtotal": 59.97,
                     *             "taxAmount": 6
                     *           }
                     *         ],
                     *         "externalId": "web-5012",
                     *         "shippingAddress": {
                     *           "line1": "1 Harbour Street",
                     *           "city": "Lisbon",
                     *           "postalCode": "1100-148",
                     *           "country": "PT"
                     *         },
                     *         "customerNote": "Please ring twice.",
                     *         "metadata": {
                     *           "basket": "b-77"
                     *         },
                     *         "trackingNumber": "1Z999",
                     *         "carrier": "UPS",
                     *         "version": 4,
                     *         "internalNote": "Wrap it as a gift."
                     *       }
                     *     }
                     */
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
            404: components["responses"]["NotFound"];
            409: components["responses"]["InvalidTransition"];
            412: components["responses"]["VersionMismatch"];
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
    deliverOrder: {
        parameters: {
            query?: never;
            header?: {
                /** @description Chosen by the caller, for one request. For 24 hours, the same request with the same key gets the first response again, with `Idempotent-Replayed: true`; another body is 422 `idempotency_key_reused`. */
                "Idempotency-Key"?: string;
                /**
                 * @description The `ETag` of the version that is to be changed, a list of several, or `*`. Another version is 412 `version_mismatch`; a weak or malformed tag is 422.
                 * @example *
                 */
                "If-Match"?: string;
            };
            path: {
                /**
                 * @description An id of `/v1/orders`
                 * @example 0198c5a2-0000-7000-8000-000000000001
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /** @example {} */
                "application/json": Record<string, never>;
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    ETag: components["headers"]["ETag"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "id": "0198c5a2-0000-7000-8000-000000000006",
                     *         "orderNumber": "1001",
                     *         "createdAt": "2026-08-20T09:41:00.000Z",
                     *         "updatedAt": "2026-08-20T09:45:00.000Z",
                     *         "status": "delivered",
                     *         "paymentStatus": "paid",
                     *         "currency": "USD",
                     *         "total": 70.47,
                     *         "paidTotal": 70.47,
                     *         "refundedTotal": 0,
                     *         "customerId": "0198c5a2-0000-7000-8000-000000000004",
                     *         "channel": "storefront",
                     *         "subtotal": 59.97,
                     *         "shippingTotal": 4.5,
                     *         "discountTotal": 0,
                     *         "taxTotal": 6,
                     *         "payableTotal": 70.47,
                     *         "amountDue": 0,
                     *         "allowedActions": [
                     *           "refund"
                     *         ],
                     *         "items": [
                     *           {
                     *             "id": "0198c5a2-0000-7000-8000-000000000007",
                     *             "sku": "MUG-BLUE",
                     *             "name": "Mug, blue",
                     *             "quantity": 3,
                     *             "unitPrice": 19.99,
                     *             "subtotal": 59.97,
                     *             "taxAmount": 6
                     *           }
                     *         ],
                     *         "externalId": "web-5012",
                     *         "shippingAddress": {
                     *           "line1": "1 Harbour Street",
                     *           "city": "Lisbon",
                     *           "postalCode": "1100-148",
                     *           "country": "PT"
                     *         },
                     *         "customerNote": "Please ring twice.",
                     *         "metadata": {
                     *           "basket": "b-77"
                     *         },
                     *         "trackingNumber": "1Z999",
                     *         "carrier": "UPS",
                     *         "version": 5,
                     *         "internalNote": "Wrap it as a gift."
                     *       }
                     *     }
                     */
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
            404: components["responses"]["NotFound"];
            409: components["responses"]["InvalidTransition"];
            412: components["responses"]["VersionMismatch"];
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
    cancelOrder: {
        parameters: {
            query?: never;
            header?: {
                /** @description Chosen by the caller, for one request. For 24 hours, the same request with the same key gets the first response again, with `Idempotent-Replayed: true`; another body is 422 `idempotency_key_reused`. */
                "Idempotency-Key"?: string;
                /**
                 * @description The `ETag` of the version that is to be changed, a list of several, or `*`. Another version is 412 `version_mismatch`; a weak or malformed tag is 422.
                 * @example *
                 */
                "If-Match"?: string;
            };
            path: {
                /**
                 * @description An id of `/v1/orders`
                 * @example 0198c5a2-0000-7000-8000-000000000001
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "reason": "Out of stock."
                 *     }
                 */
                "application/json": {
                    reason?: string | null;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    ETag: components["headers"]["ETag"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "id": "0198c5a2-0000-7000-8000-000000000008",
                     *         "orderNumber": "1002",
                     *         "createdAt": "2026-08-20T09:47:00.000Z",
                     *         "updatedAt": "2026-08-20T09:48:00.000Z",
                     *         "status": "cancelled",
                     *         "paymentStatus": "unpaid",
                     *         "currency": "USD",
                     *         "total": 65.97,
                     *         "paidTotal": 0,
                     *         "refundedTotal": 0,
                     *         "customerId": "0198c5a2-0000-7000-8000-000000000004",
                     *         "channel": "admin",
                     *         "subtotal": 59.97,
                     *         "shippingTotal": 0,
                     *         "discountTotal": 0,
                     *         "taxTotal": 6,
                     *         "payableTotal": 65.97,
                     *         "amountDue": 0,
                     *         "allowedActions": [],
                     *         "items": [
                     *           {
                     *             "id": "0198c5a2-0000-7000-8000-000000000009",
                     *             "sku": "MUG-BLUE",
                     *             "name": "Mug, blue",
                     *             "quantity": 3,
                     *             "unitPrice": 19.99,
                     *             "subtotal": 59.97,
                     *             "taxAmount": 6
                     *           }
                     *         ],
                     *         "cancelReason": "Out of stock.",
                     *         "version": 2
                     *       }
                     *     }
                     */
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
            404: components["responses"]["NotFound"];
            409: components["responses"]["InvalidTransitionOrRefundRequired"];
            412: components["responses"]["VersionMismatch"];
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
    refundOrder: {
        parameters: {
            query?: never;
            header?: {
                /** @description Chosen by the caller, for one request. For 24 hours, the same request with the same key gets the first response again, with `Idempotent-Replayed: true`; another body is 422 `idempotency_key_reused`. */
                "Idempotency-Key"?: string;
                /**
                 * @description The `ETag` of the version that is to be changed, a list of several, or `*`. Another version is 412 `version_mismatch`; a weak or malformed tag is 422.
                 * @example *
                 */
                "If-Match"?: string;
            };
            path: {
                /**
                 * @description An id of `/v1/orders`
                 * @example 0198c5a2-0000-7000-8000-000000000001
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "amount": 19.99,
                 *       "reason": "One mug was broken.",
                 *       "reference": "re_1"
                 *     }
                 */
                "application/json": {
                    /** @description In units of the order's currency, with at most its decimals; all that is left by default */
                    amount?: number | null;
                    reason?: string | null;
                    /** @description Names the refund in the system that made it */
                    reference?: string | null;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    ETag: components["headers"]["ETag"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "id": "0198c5a2-0000-7000-8000-000000000006",
                     *         "orderNumber": "1001",
                     *         "createdAt": "2026-08-20T09:41:00.000Z",
                     *         "updatedAt": "2026-08-20T09:46:00.000Z",
                     *         "status": "delivered",
                     *         "paymentStatus": "partially_refunded",
                     *         "currency": "USD",
                     *         "total": 70.47,
                     *         "paidTotal": 70.47,
                     *         "refundedTotal": 19.99,
                     *         "customerId": "0198c5a2-0000-7000-8000-000000000004",
                     *         "channel": "storefront",
                     *         "subtotal": 59.97,
                     *         "shippingTotal": 4.5,
                     *         "discountTotal": 0,
                     *         "taxTotal": 6,
                     *         "payableTotal": 70.47,
                     *         "amountDue": 0,
                     *         "allowedActions": [
                     *           "refund"
                     *         ],
                     *         "items": [
                     *           {
                     *             "id": "0198c5a2-0000-7000-8000-000000000007",
                     *             "sku": "MUG-BLUE",
                     *             "name": "Mug, blue",
                     *             "quantity": 3,
                     *             "unitPrice": 19.99,
                     *             "subtotal": 59.97,
                     *             "taxAmount": 6
                     *           }
                     *         ],
                     *         "externalId": "web-5012",
                     *         "shippingAddress": {
                     *           "line1": "1 Harbour Street",
                     *           "city": "Lisbon",
                     *           "postalCode": "1100-148",
                     *           "country": "PT"
                     *         },
                     *         "customerNote": "Please ring twice.",
                     *         "metadata": {
                     *           "basket": "b-77"
                     *         },
                     *         "trackingNumber": "1Z999",
                     *         "carrier": "UPS",
                     *         "version": 6,
                     *         "internalNote": "Wrap it as a gift."
                     *       }
                     *     }
                     */
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
            404: components["responses"]["NotFound"];
            409: components["responses"]["NothingToRefundOrOrderNotPaidOrReferenceReused"];
            412: components["responses"]["VersionMismatch"];
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
    listCustomers: {
        parameters: {
            query?: {
                /**
                 * @description The most items of a page.
                 * @example 25
                 */
                limit?: number;
                /** @description `page.nextCursor` of the page before. */
                cursor?: string;
                /**
                 * @description The caller's own id of the customer.
                 * @example c-204
                 */
                externalId?: string;
                /**
                 * @description In upper or lower case.
                 * @example ada@example.com
                 */
                email?: string;
                /**
                 * @description Only customers with these ids.
                 * @example [
                 *       "0198c5a2-0000-7000-8000-000000000001"
                 *     ]
                 */
                ids?: string[];
                /**
                 * @description The time of the latest change, inclusive.
                 * @example 2026-08-20T09:30:00Z
                 */
                updatedAfter?: string;
                /**
                 * @description The time of the latest change, exclusive.
                 * @example 2026-08-20T09:30:00Z
                 */
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
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    Link: components["headers"]["Link"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": [
                     *         {
                     *           "id": "0198c5a2-0000-7000-8000-000000000004",
                     *           "name": "Ada Lovelace",
                     *           "email": "ada@example.com",
                     *           "externalId": "c-204",
                     *           "metadata": {
                     *             "segment": "retail"
                     *           },
                     *           "version": 2,
                     *           "createdAt": "2026-08-20T09:38:00.000Z",
                     *           "updatedAt": "2026-08-20T09:39:00.000Z"
                     *         }
                     *       ],
                     *       "page": {
                     *         "nextCursor": null
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["Customer"][];
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
    createCustomer: {
        parameters: {
            query?: never;
            header?: {
                /** @description Chosen by the caller, for one request. For 24 hours, the same request with the same key gets the first response again, with `Idempotent-Replayed: true`; another body is 422 `idempotency_key_reused`. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Ada Lovelace",
                 *       "email": "ada@example.com",
                 *       "phone": "+351 210 000 000",
                 *       "externalId": "c-204",
                 *       "metadata": {
                 *         "segment": "retail"
                 *       }
                 *     }
                 */
                "application/json": {
                    name: string;
                    /** Format: email */
                    email?: string | null;
                    phone?: string | null;
                    /** @description The id that another system gave the customer, unique in the tenant */
                    externalId?: string | null;
                    /** @description At most 64 KiB of JSON text, returned as it was sent; the platform does not interpret it */
                    metadata?: {
                        [key: string]: unknown;
                    } | null;
                };
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    ETag: components["headers"]["ETag"];
                    Location: components["headers"]["Location"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "id": "0198c5a2-0000-7000-8000-000000000004",
                     *         "name": "Ada Lovelace",
                     *         "email": "ada@example.com",
                     *         "phone": "+351 210 000 000",
                     *         "externalId": "c-204",
                     *         "metadata": {
                     *           "segment": "retail"
                     *         },
                     *         "version": 1,
                     *         "createdAt": "2026-08-20T09:38:00.000Z",
                     *         "updatedAt": "2026-08-20T09:38:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["Customer"];
                    };
                };
            };
            400: components["responses"]["BadRequestOrInvalidJson"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ForbiddenOrModuleDisabledOrTenantSuspended"];
            /** @description `conflict`: Another resource has a value that must be unique, or the state does not allow it. */
            409: {
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
                            code: "conflict";
                            message: string;
                            requestId: string;
                            /**
                             * Format: uuid
                             * @description The customer that has the externalId
                             */
                            customerId: string;
                        };
                    };
                };
            };
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
    listCustomerEvents: {
        parameters: {
            query?: {
                /**
                 * @description A `page.nextCursor` of this feed, or `now` for its end. Without it, the oldest event that is kept.
                 * @example now
                 */
                after?: string;
                /**
                 * @description Only events of these types, separated by commas. All types by default.
                 * @example [
                 *       "customer.created"
                 *     ]
                 */
                types?: ("customer.created" | "customer.updated")[];
                /**
                 * @description The most items of a page.
                 * @example 25
                 */
                limit?: number;
                /**
                 * @description If there is no event, the response waits at most this long for the first one.
                 * @example 0
                 */
                waitSeconds?: number;
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
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": [
                     *         {
                     *           "id": "0198c5a2-0000-7000-8000-000000000026",
                     *           "type": "customer.created",
                     *           "occurredAt": "2026-08-20T09:38:00.000Z",
                     *           "requestId": "0198c5a2-0000-7000-8000-000000000027",
                     *           "actor": {
                     *             "type": "api_key",
                     *             "id": "0198c5a2-0000-7000-8000-000000000003",
                     *             "name": "Warehouse system"
                     *           },
                     *           "data": {
                     *             "customer": {
                     *               "id": "0198c5a2-0000-7000-8000-000000000004",
                     *               "name": "Ada Lovelace",
                     *               "email": "ada@example.com",
                     *               "phone": "+351 210 000 000",
                     *               "externalId": "c-204",
                     *               "metadata": {
                     *                 "segment": "retail"
                     *               },
                     *               "version": 1,
                     *               "createdAt": "2026-08-20T09:38:00.000Z",
                     *               "updatedAt": "2026-08-20T09:38:00.000Z"
                     *             }
                     *           }
                     *         }
                     *       ],
                     *       "page": {
                     *         "nextCursor": "MjAyNi0wOC0yMFQwOTozMDowMC4wMDBa",
                     *         "hasMore": true
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: (components["schemas"]["CustomerCreatedEvent"] | components["schemas"]["CustomerUpdatedEvent"])[];
                        page: components["schemas"]["FeedPage"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ForbiddenOrModuleDisabledOrTenantSuspended"];
            410: components["responses"]["CursorExpired"];
            413: components["responses"]["PayloadTooLarge"];
            422: components["responses"]["ValidationError"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            502: components["responses"]["UpstreamUnavailable"];
            503: components["responses"]["ServiceUnavailable"];
            504: components["responses"]["UpstreamTimeout"];
        };
    };
    getCustomer: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description An `ETag`. While it is the current one, the response is 304.
                 * @example "0"
                 */
                "If-None-Match"?: string;
            };
            path: {
                /**
                 * @description An id of `/v1/customers`
                 * @example 0198c5a2-0000-7000-8000-000000000001
                 */
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
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "id": "0198c5a2-0000-7000-8000-000000000004",
                     *         "name": "Ada Lovelace",
                     *         "email": "ada@example.com",
                     *         "phone": "+351 210 000 000",
                     *         "externalId": "c-204",
                     *         "metadata": {
                     *           "segment": "retail"
                     *         },
                     *         "version": 1,
                     *         "createdAt": "2026-08-20T09:38:00.000Z",
                     *         "updatedAt": "2026-08-20T09:38:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["Customer"];
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
    updateCustomer: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The `ETag` of the version that is to be changed, a list of several, or `*`. Another version is 412 `version_mismatch`; a weak or malformed tag is 422.
                 * @example *
                 */
                "If-Match"?: string;
            };
            path: {
                /**
                 * @description An id of `/v1/customers`
                 * @example 0198c5a2-0000-7000-8000-000000000001
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "phone": null
                 *     }
                 */
                "application/json": {
                    name?: string;
                    email?: string | null;
                    phone?: string | null;
                    externalId?: string | null;
                    metadata?: {
                        [key: string]: unknown;
                    } | null;
                };
                "application/merge-patch+json": {
                    name?: string;
                    email?: string | null;
                    phone?: string | null;
                    externalId?: string | null;
                    metadata?: {
                        [key: string]: unknown;
                    } | null;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "id": "0198c5a2-0000-7000-8000-000000000004",
                     *         "name": "Ada Lovelace",
                     *         "email": "ada@example.com",
                     *         "externalId": "c-204",
                     *         "metadata": {
                     *           "segment": "retail"
                     *         },
                     *         "version": 2,
                     *         "createdAt": "2026-08-20T09:38:00.000Z",
                     *         "updatedAt": "2026-08-20T09:39:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["Customer"];
                    };
                };
            };
            400: components["responses"]["BadRequestOrInvalidJson"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ForbiddenOrModuleDisabledOrTenantSuspended"];
            404: components["responses"]["NotFound"];
            /** @description `conflict`: Another resource has a value that must be unique, or the state does not allow it. */
            409: {
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
                            code: "conflict";
                            message: string;
                            requestId: string;
                            /**
                             * Format: uuid
                             * @description The customer that has the externalId
                             */
                            customerId: string;
                        };
                    };
                };
            };
            412: components["responses"]["VersionMismatch"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["ValidationError"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            502: components["responses"]["UpstreamUnavailable"];
            503: components["responses"]["ServiceUnavailable"];
            504: components["responses"]["UpstreamTimeout"];
        };
    };
    putCustomerByExternalId: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The `ETag` of the version that is to be changed, a list of several, or `*`. Another version is 412 `version_mismatch`; a weak or malformed tag is 422.
                 * @example *
                 */
                "If-Match"?: string;
            };
            path: {
                /**
                 * @description The caller's own id of the customer.
                 * @example c-204
                 */
                externalId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Charles Babbage",
                 *       "email": "charles@example.com"
                 *     }
                 */
                "application/json": {
                    name: string;
                    /** @default null */
                    email?: string | null;
                    /** @default null */
                    phone?: string | null;
                    /** @description The id that another system gave the customer, unique in the tenant */
                    externalId?: string;
                    /** @default null */
                    metadata?: {
                        [key: string]: unknown;
                    } | null;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["Customer"];
                    };
                };
            };
            /** @description Created. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    ETag: components["headers"]["ETag"];
                    Location: components["headers"]["Location"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "id": "0198c5a2-0000-7000-8000-000000000005",
                     *         "name": "Charles Babbage",
                     *         "email": "charles@example.com",
                     *         "externalId": "c-205",
                     *         "version": 1,
                     *         "createdAt": "2026-08-20T09:40:00.000Z",
                     *         "updatedAt": "2026-08-20T09:40:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["Customer"];
                    };
                };
            };
            400: components["responses"]["BadRequestOrInvalidJson"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ForbiddenOrModuleDisabledOrTenantSuspended"];
            404: components["responses"]["NotFound"];
            412: components["responses"]["VersionMismatch"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["ValidationError"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            502: components["responses"]["UpstreamUnavailable"];
            503: components["responses"]["ServiceUnavailable"];
            504: components["responses"]["UpstreamTimeout"];
        };
    };
    listRedirects: {
        parameters: {
            query?: {
                /**
                 * @description The most items of a page.
                 * @example 25
                 */
                limit?: number;
                /** @description `page.nextCursor` of the page before. */
                cursor?: string;
                /**
                 * @description The redirect from this path.
                 * @example /old shop
                 */
                from?: string;
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
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    Link: components["headers"]["Link"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": [
                     *         {
                     *           "id": "0198c5a2-0000-7000-8000-000000000039",
                     *           "from": "/old%20shop",
                     *           "to": "/shop",
                     *           "type": 308,
                     *           "createdAt": "2026-08-20T10:07:00.000Z"
                     *         }
                     *       ],
                     *       "page": {
                     *         "nextCursor": null
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["Redirect"][];
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
    createRedirect: {
        parameters: {
            query?: never;
            header?: {
                /** @description Chosen by the caller, for one request. For 24 hours, the same request with the same key gets the first response again, with `Idempotent-Replayed: true`; another body is 422 `idempotency_key_reused`. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "from": "/old shop/",
                 *       "to": "/shop",
                 *       "type": 308
                 *     }
                 */
                "application/json": {
                    /** @description A path as people type it; it is stored percent-encoded and without a slash at the end. */
                    from: string;
                    /** @description A path, with a query and a fragment if need be, or an absolute http(s) URL. */
                    to: string;
                    /**
                     * @default 301
                     * @enum {number|null}
                     */
                    type?: 301 | 302 | 307 | 308 | null;
                };
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    Location: components["headers"]["Location"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "id": "0198c5a2-0000-7000-8000-000000000039",
                     *         "from": "/old%20shop",
                     *         "to": "/shop",
                     *         "type": 308,
                     *         "createdAt": "2026-08-20T10:07:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["Redirect"];
                    };
                };
            };
            400: components["responses"]["BadRequestOrInvalidJson"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ForbiddenOrModuleDisabledOrTenantSuspended"];
            409: components["responses"]["RedirectExistsOrRedirectLoop"];
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
    resolveRedirect: {
        parameters: {
            query: {
                /**
                 * @description The path that was requested. A `+` means a blank, and a `%` is written `%25`.
                 * @example /old shop
                 */
                path: string;
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
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "id": "0198c5a2-0000-7000-8000-000000000039",
                     *         "from": "/old%20shop",
                     *         "to": "/shop",
                     *         "type": 308,
                     *         "createdAt": "2026-08-20T10:07:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["Redirect"];
                    };
                };
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
    getRedirect: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description An id of `/v1/redirects`
                 * @example 0198c5a2-0000-7000-8000-000000000001
                 */
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
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "id": "0198c5a2-0000-7000-8000-000000000039",
                     *         "from": "/old%20shop",
                     *         "to": "/shop",
                     *         "type": 308,
                     *         "createdAt": "2026-08-20T10:07:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["Redirect"];
                    };
                };
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
    deleteRedirect: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description An id of `/v1/redirects`
                 * @example 0198c5a2-0000-7000-8000-000000000001
                 */
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
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "id": "0198c5a2-0000-7000-8000-000000000039",
                     *         "deleted": true
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["Deleted"];
                    };
                };
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
    getContentType: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description An `ETag`. While it is the current one, the response is 304.
                 * @example "0"
                 */
                "If-None-Match"?: string;
            };
            path: {
                /**
                 * @description The slug: 1 to 64 lower-case letters, digits and single hyphens.
                 * @example article
                 */
                slug: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "slug": "article",
                     *         "name": "Article",
                     *         "fields": [
                     *           {
                     *             "key": "title",
                     *             "type": "text",
                     *             "required": true
                     *           },
                     *           {
                     *             "key": "body",
                     *             "type": "richtext",
                     *             "required": false
                     *           },
                     *           {
                     *             "key": "picture",
                     *             "type": "media",
                     *             "required": false
                     *           }
                     *         ],
                     *         "version": 1
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["ContentType"];
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
    putContentType: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The `ETag` of the version that is to be changed, a list of several, or `*`. Another version is 412 `version_mismatch`; a weak or malformed tag is 422.
                 * @example *
                 */
                "If-Match"?: string;
            };
            path: {
                /**
                 * @description The slug: 1 to 64 lower-case letters, digits and single hyphens.
                 * @example article
                 */
                slug: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Article",
                 *       "fields": [
                 *         {
                 *           "key": "title",
                 *           "type": "text",
                 *           "required": true
                 *         },
                 *         {
                 *           "key": "body",
                 *           "type": "richtext"
                 *         },
                 *         {
                 *           "key": "picture",
                 *           "type": "media"
                 *         }
                 *       ]
                 *     }
                 */
                "application/json": {
                    name: string;
                    fields: {
                        /** @description The field's name in an entry's `data`; no key twice. */
                        key: string;
                        /**
                         * @description `media` and `reference` hold the id of a media asset or of an entry.
                         * @enum {string}
                         */
                        type: "text" | "richtext" | "number" | "boolean" | "datetime" | "media" | "reference" | "json";
                        /**
                         * @description Whether an entry needs it to go live.
                         * @default false
                         */
                        required?: boolean;
                    }[];
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["ContentType"];
                    };
                };
            };
            /** @description Created. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    ETag: components["headers"]["ETag"];
                    Location: components["headers"]["Location"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "slug": "article",
                     *         "name": "Article",
                     *         "fields": [
                     *           {
                     *             "key": "title",
                     *             "type": "text",
                     *             "required": true
                     *           },
                     *           {
                     *             "key": "body",
                     *             "type": "richtext",
                     *             "required": false
                     *           },
                     *           {
                     *             "key": "picture",
                     *             "type": "media",
                     *             "required": false
                     *           }
                     *         ],
                     *         "version": 1
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["ContentType"];
                    };
                };
            };
            400: components["responses"]["BadRequestOrInvalidJson"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ForbiddenOrModuleDisabledOrTenantSuspended"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["ContentTypeInUse"];
            412: components["responses"]["VersionMismatch"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["ValidationError"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            502: components["responses"]["UpstreamUnavailable"];
            503: components["responses"]["ServiceUnavailable"];
            504: components["responses"]["UpstreamTimeout"];
        };
    };
    listContentTypes: {
        parameters: {
            query?: {
                /**
                 * @description The most items of a page.
                 * @example 25
                 */
                limit?: number;
                /** @description `page.nextCursor` of the page before. */
                cursor?: string;
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
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    Link: components["headers"]["Link"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": [
                     *         {
                     *           "slug": "article",
                     *           "name": "Article",
                     *           "fields": [
                     *             {
                     *               "key": "title",
                     *               "type": "text",
                     *               "required": true
                     *             },
                     *             {
                     *               "key": "body",
                     *               "type": "richtext",
                     *               "required": false
                     *             },
                     *             {
                     *               "key": "picture",
                     *               "type": "media",
                     *               "required": false
                     *             }
                     *           ],
                     *           "version": 1
                     *         }
                     *       ],
                     *       "page": {
                     *         "nextCursor": null
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["ContentType"][];
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
    listEntries: {
        parameters: {
            query?: {
                /**
                 * @description The most items of a page.
                 * @example 25
                 */
                limit?: number;
                /** @description `page.nextCursor` of the page before. */
                cursor?: string;
                /**
                 * @description The slug of a content type.
                 * @example article
                 */
                type?: string;
                /**
                 * @description Only entries with this status.
                 * @example draft
                 */
                status?: "draft" | "scheduled" | "published";
                /**
                 * @description Of the version that the list shows.
                 * @example article
                 */
                slug?: string;
                /**
                 * @description A language tag, such as `en` or `de-AT`.
                 * @example en
                 */
                locale?: string;
                /**
                 * @description `draft` shows the latest revision of each entry; `published` only live entries, as they are live.
                 * @example draft
                 */
                version?: "draft" | "published";
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
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    Link: components["headers"]["Link"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": [
                     *         {
                     *           "id": "0198c5a2-0000-7000-8000-000000000038",
                     *           "type": "article",
                     *           "slug": "autumn-collection",
                     *           "locale": "en",
                     *           "status": "published",
                     *           "hasUnpublishedChanges": false,
                     *           "revision": 3,
                     *           "publishedRevision": 3,
                     *           "publishedAt": "2026-08-20T10:05:00.000Z",
                     *           "publishAt": null,
                     *           "data": {
                     *             "title": "The autumn collection",
                     *             "body": "Warm colours, from Friday on.",
                     *             "picture": "0198c5a2-0000-7000-8000-000000000037"
                     *           },
                     *           "createdAt": "2026-08-20T10:00:00.000Z",
                     *           "updatedAt": "2026-08-20T10:05:00.000Z",
                     *           "version": 6
                     *         }
                     *       ],
                     *       "page": {
                     *         "nextCursor": null
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["Entry"][];
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
    createEntry: {
        parameters: {
            query?: never;
            header?: {
                /** @description Chosen by the caller, for one request. For 24 hours, the same request with the same key gets the first response again, with `Idempotent-Replayed: true`; another body is 422 `idempotency_key_reused`. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "type": "article",
                 *       "slug": "autumn-collection",
                 *       "data": {
                 *         "title": "The autumn collection",
                 *         "body": "Warm colours, from Friday on.",
                 *         "picture": "0198c5a2-0000-7000-8000-000000000037"
                 *       }
                 *     }
                 */
                "application/json": {
                    /** @description The slug of a content type. */
                    type: string;
                    /** @description Unique for each type and locale. Made from the first text field if it is left out. */
                    slug?: string | null;
                    /** @description A language tag, such as `en` or `de-AT`. */
                    locale?: string | null;
                    /** @description By key, the fields of the content type. */
                    data: {
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
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    ETag: components["headers"]["ETag"];
                    Location: components["headers"]["Location"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "id": "0198c5a2-0000-7000-8000-000000000038",
                     *         "type": "article",
                     *         "slug": "autumn-collection",
                     *         "locale": "en",
                     *         "status": "draft",
                     *         "hasUnpublishedChanges": true,
                     *         "revision": 1,
                     *         "publishedRevision": null,
                     *         "publishedAt": null,
                     *         "publishAt": null,
                     *         "data": {
                     *           "title": "The autumn collection",
                     *           "body": "Warm colours, from Friday on.",
                     *           "picture": "0198c5a2-0000-7000-8000-000000000037"
                     *         },
                     *         "createdAt": "2026-08-20T10:00:00.000Z",
                     *         "updatedAt": "2026-08-20T10:00:00.000Z",
                     *         "version": 1
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["Entry"];
                    };
                };
            };
            400: components["responses"]["BadRequestOrInvalidJson"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ForbiddenOrModuleDisabledOrTenantSuspended"];
            409: components["responses"]["Conflict"];
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
    getEntry: {
        parameters: {
            query?: {
                /**
                 * @description The latest revision, the live one (404 if none is live), or a revision by its number.
                 * @example draft
                 */
                version?: ("draft" | "published") | number;
            };
            header?: {
                /**
                 * @description An `ETag`. While it is the current one, the response is 304.
                 * @example "0"
                 */
                "If-None-Match"?: string;
            };
            path: {
                /**
                 * @description An id of `/v1/entries`
                 * @example 0198c5a2-0000-7000-8000-000000000001
                 */
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
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "id": "0198c5a2-0000-7000-8000-000000000038",
                     *         "type": "article",
                     *         "slug": "autumn-collection",
                     *         "locale": "en",
                     *         "status": "published",
                     *         "hasUnpublishedChanges": false,
                     *         "revision": 3,
                     *         "publishedRevision": 3,
                     *         "publishedAt": "2026-08-20T10:05:00.000Z",
                     *         "publishAt": null,
                     *         "data": {
                     *           "title": "The autumn collection",
                     *           "body": "Warm colours, from Friday on.",
                     *           "picture": "0198c5a2-0000-7000-8000-000000000037"
                     *         },
                     *         "createdAt": "2026-08-20T10:00:00.000Z",
                     *         "updatedAt": "2026-08-20T10:05:00.000Z",
                     *         "version": 6
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["Entry"];
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
    deleteEntry: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The `ETag` of the version that is to be changed, a list of several, or `*`. Another version is 412 `version_mismatch`; a weak or malformed tag is 422.
                 * @example *
                 */
                "If-Match"?: string;
            };
            path: {
                /**
                 * @description An id of `/v1/entries`
                 * @example 0198c5a2-0000-7000-8000-000000000001
                 */
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
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "id": "0198c5a2-0000-7000-8000-000000000038",
                     *         "deleted": true
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["Deleted"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ForbiddenOrModuleDisabledOrTenantSuspended"];
            404: components["responses"]["NotFound"];
            412: components["responses"]["VersionMismatch"];
            413: components["responses"]["PayloadTooLarge"];
            422: components["responses"]["ValidationError"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            502: components["responses"]["UpstreamUnavailable"];
            503: components["responses"]["ServiceUnavailable"];
            504: components["responses"]["UpstreamTimeout"];
        };
    };
    updateEntry: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The `ETag` of the version that is to be changed, a list of several, or `*`. Another version is 412 `version_mismatch`; a weak or malformed tag is 422.
                 * @example *
                 */
                "If-Match"?: string;
            };
            path: {
                /**
                 * @description An id of `/v1/entries`
                 * @example 0198c5a2-0000-7000-8000-000000000001
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "data": {
                 *         "body": "Warm colours, from Thursday on."
                 *       }
                 *     }
                 */
                "application/json": {
                    /** @description Unique for each type and locale. */
                    slug?: string;
                    /** @description By key, the fields to change; `null` removes a field. */
                    data?: {
                        [key: string]: unknown;
                    };
                };
                "application/merge-patch+json": {
                    /** @description Unique for each type and locale. */
                    slug?: string;
                    /** @description By key, the fields to change; `null` removes a field. */
                    data?: {
                        [key: string]: unknown;
                    };
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "id": "0198c5a2-0000-7000-8000-000000000038",
                     *         "type": "article",
                     *         "slug": "autumn-collection",
                     *         "locale": "en",
                     *         "status": "draft",
                     *         "hasUnpublishedChanges": true,
                     *         "revision": 2,
                     *         "publishedRevision": null,
                     *         "publishedAt": null,
                     *         "publishAt": null,
                     *         "data": {
                     *           "title": "The autumn collection",
                     *           "body": "Warm colours, from Thursday on.",
                     *           "picture": "0198c5a2-0000-7000-8000-000000000037"
                     *         },
                     *         "createdAt": "2026-08-20T10:00:00.000Z",
                     *         "updatedAt": "2026-08-20T10:01:00.000Z",
                     *         "version": 2
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["Entry"];
                    };
                };
            };
            400: components["responses"]["BadRequestOrInvalidJson"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ForbiddenOrModuleDisabledOrTenantSuspended"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["VersionMismatch"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["ValidationError"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            502: components["responses"]["UpstreamUnavailable"];
            503: components["responses"]["ServiceUnavailable"];
            504: components["responses"]["UpstreamTimeout"];
        };
    };
    publishEntry: {
        parameters: {
            query?: never;
            header?: {
                /** @description Chosen by the caller, for one request. For 24 hours, the same request with the same key gets the first response again, with `Idempotent-Replayed: true`; another body is 422 `idempotency_key_reused`. */
                "Idempotency-Key"?: string;
                /**
                 * @description The `ETag` of the version that is to be changed, a list of several, or `*`. Another version is 412 `version_mismatch`; a weak or malformed tag is 422.
                 * @example *
                 */
                "If-Match"?: string;
            };
            path: {
                /**
                 * @description An id of `/v1/entries`
                 * @example 0198c5a2-0000-7000-8000-000000000001
                 */
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
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    ETag: components["headers"]["ETag"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "id": "0198c5a2-0000-7000-8000-000000000038",
                     *         "type": "article",
                     *         "slug": "autumn-collection",
                     *         "locale": "en",
                     *         "status": "published",
                     *         "hasUnpublishedChanges": false,
                     *         "revision": 3,
                     *         "publishedRevision": 3,
                     *         "publishedAt": "2026-08-20T10:05:00.000Z",
                     *         "publishAt": null,
                     *         "data": {
                     *           "title": "The autumn collection",
                     *           "body": "Warm colours, from Friday on.",
                     *           "picture": "0198c5a2-0000-7000-8000-000000000037"
                     *         },
                     *         "createdAt": "2026-08-20T10:00:00.000Z",
                     *         "updatedAt": "2026-08-20T10:05:00.000Z",
                     *         "version": 6
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["Entry"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ForbiddenOrModuleDisabledOrTenantSuspended"];
            404: components["responses"]["NotFound"];
            412: components["responses"]["VersionMismatch"];
            413: components["responses"]["PayloadTooLarge"];
            422: components["responses"]["IdempotencyKeyReusedOrValidationError"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            502: components["responses"]["UpstreamUnavailable"];
            503: components["responses"]["ServiceUnavailable"];
            504: components["responses"]["UpstreamTimeout"];
        };
    };
    scheduleEntry: {
        parameters: {
            query?: never;
            header?: {
                /** @description Chosen by the caller, for one request. For 24 hours, the same request with the same key gets the first response again, with `Idempotent-Replayed: true`; another body is 422 `idempotency_key_reused`. */
                "Idempotency-Key"?: string;
                /**
                 * @description The `ETag` of the version that is to be changed, a list of several, or `*`. Another version is 412 `version_mismatch`; a weak or malformed tag is 422.
                 * @example *
                 */
                "If-Match"?: string;
            };
            path: {
                /**
                 * @description An id of `/v1/entries`
                 * @example 0198c5a2-0000-7000-8000-000000000001
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "publishAt": "2026-08-23T09:30:00.000Z"
                 *     }
                 */
                "application/json": {
                    /**
                     * Format: date-time
                     * @description In the future, at most 5 years ahead.
                     */
                    publishAt: string;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    ETag: components["headers"]["ETag"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "id": "0198c5a2-0000-7000-8000-000000000038",
                     *         "type": "article",
                     *         "slug": "autumn-collection",
                     *         "locale": "en",
                     *         "status": "scheduled",
                     *         "hasUnpublishedChanges": true,
                     *         "revision": 3,
                     *         "publishedRevision": null,
                     *         "publishedAt": null,
                     *         "publishAt": "2026-08-23T09:30:00.000Z",
                     *         "data": {
                     *           "title": "The autumn collection",
                     *           "body": "Warm colours, from Friday on.",
                     *           "picture": "0198c5a2-0000-7000-8000-000000000037"
                     *         },
                     *         "createdAt": "2026-08-20T10:00:00.000Z",
                     *         "updatedAt": "2026-08-20T10:03:00.000Z",
                     *         "version": 4
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["Entry"];
                    };
                };
            };
            400: components["responses"]["BadRequestOrInvalidJson"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ForbiddenOrModuleDisabledOrTenantSuspended"];
            404: components["responses"]["NotFound"];
            /** @description `invalid_transition`: The state does not allow it. */
            409: {
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
                            code: "invalid_transition";
                            message: string;
                            requestId: string;
                        };
                    };
                };
            };
            412: components["responses"]["VersionMismatch"];
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
    unscheduleEntry: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The `ETag` of the version that is to be changed, a list of several, or `*`. Another version is 412 `version_mismatch`; a weak or malformed tag is 422.
                 * @example *
                 */
                "If-Match"?: string;
            };
            path: {
                /**
                 * @description An id of `/v1/entries`
                 * @example 0198c5a2-0000-7000-8000-000000000001
                 */
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
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "id": "0198c5a2-0000-7000-8000-000000000038",
                     *         "type": "article",
                     *         "slug": "autumn-collection",
                     *         "locale": "en",
                     *         "status": "draft",
                     *         "hasUnpublishedChanges": true,
                     *         "revision": 3,
                     *         "publishedRevision": null,
                     *         "publishedAt": null,
                     *         "publishAt": null,
                     *         "data": {
                     *           "title": "The autumn collection",
                     *           "body": "Warm colours, from Friday on.",
                     *           "picture": "0198c5a2-0000-7000-8000-000000000037"
                     *         },
                     *         "createdAt": "2026-08-20T10:00:00.000Z",
                     *         "updatedAt": "2026-08-20T10:04:00.000Z",
                     *         "version": 5
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["Entry"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ForbiddenOrModuleDisabledOrTenantSuspended"];
            404: components["responses"]["NotFound"];
            /** @description `invalid_transition`: The state does not allow it. */
            409: {
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
                            code: "invalid_transition";
                            message: string;
                            requestId: string;
                        };
                    };
                };
            };
            412: components["responses"]["VersionMismatch"];
            413: components["responses"]["PayloadTooLarge"];
            422: components["responses"]["ValidationError"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            502: components["responses"]["UpstreamUnavailable"];
            503: components["responses"]["ServiceUnavailable"];
            504: components["responses"]["UpstreamTimeout"];
        };
    };
    unpublishEntry: {
        parameters: {
            query?: never;
            header?: {
                /** @description Chosen by the caller, for one request. For 24 hours, the same request with the same key gets the first response again, with `Idempotent-Replayed: true`; another body is 422 `idempotency_key_reused`. */
                "Idempotency-Key"?: string;
                /**
                 * @description The `ETag` of the version that is to be changed, a list of several, or `*`. Another version is 412 `version_mismatch`; a weak or malformed tag is 422.
                 * @example *
                 */
                "If-Match"?: string;
            };
            path: {
                /**
                 * @description An id of `/v1/entries`
                 * @example 0198c5a2-0000-7000-8000-000000000001
                 */
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
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    ETag: components["headers"]["ETag"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "id": "0198c5a2-0000-7000-8000-000000000038",
                     *         "type": "article",
                     *         "slug": "autumn-collection",
                     *         "locale": "en",
                     *         "status": "draft",
                     *         "hasUnpublishedChanges": true,
                     *         "revision": 3,
                     *         "publishedRevision": null,
                     *         "publishedAt": null,
                     *         "publishAt": null,
                     *         "data": {
                     *           "title": "The autumn collection",
                     *           "body": "Warm colours, from Friday on.",
                     *           "picture": "0198c5a2-0000-7000-8000-000000000037"
                     *         },
                     *         "createdAt": "2026-08-20T10:00:00.000Z",
                     *         "updatedAt": "2026-08-20T10:06:00.000Z",
                     *         "version": 7
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["Entry"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ForbiddenOrModuleDisabledOrTenantSuspended"];
            404: components["responses"]["NotFound"];
            /** @description `invalid_transition`: The state does not allow it. */
            409: {
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
                            code: "invalid_transition";
                            message: string;
                            requestId: string;
                        };
                    };
                };
            };
            412: components["responses"]["VersionMismatch"];
            413: components["responses"]["PayloadTooLarge"];
            422: components["responses"]["IdempotencyKeyReusedOrValidationError"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            502: components["responses"]["UpstreamUnavailable"];
            503: components["responses"]["ServiceUnavailable"];
            504: components["responses"]["UpstreamTimeout"];
        };
    };
    listRevisions: {
        parameters: {
            query?: {
                /**
                 * @description The most items of a page.
                 * @example 25
                 */
                limit?: number;
                /** @description `page.nextCursor` of the page before. */
                cursor?: string;
            };
            header?: never;
            path: {
                /**
                 * @description An id of `/v1/entries`
                 * @example 0198c5a2-0000-7000-8000-000000000001
                 */
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
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    Link: components["headers"]["Link"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": [
                     *         {
                     *           "revision": 2,
                     *           "slug": "autumn-collection",
                     *           "data": {
                     *             "title": "The autumn collection",
                     *             "body": "Warm colours, from Thursday on.",
                     *             "picture": "0198c5a2-0000-7000-8000-000000000037"
                     *           },
                     *           "actor": {
                     *             "type": "api_key",
                     *             "id": "0198c5a2-0000-7000-8000-000000000003",
                     *             "name": "Warehouse system"
                     *           },
                     *           "createdAt": "2026-08-20T10:01:00.000Z"
                     *         },
                     *         {
                     *           "revision": 1,
                     *           "slug": "autumn-collection",
                     *           "data": {
                     *             "title": "The autumn collection",
                     *             "body": "Warm colours, from Friday on.",
                     *             "picture": "0198c5a2-0000-7000-8000-000000000037"
                     *           },
                     *           "actor": {
                     *             "type": "api_key",
                     *             "id": "0198c5a2-0000-7000-8000-000000000003",
                     *             "name": "Warehouse system"
                     *           },
                     *           "createdAt": "2026-08-20T10:00:00.000Z"
                     *         }
                     *       ],
                     *       "page": {
                     *         "nextCursor": null
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["Revision"][];
                        page: components["schemas"]["Page"];
                    };
                };
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
    restoreRevision: {
        parameters: {
            query?: never;
            header?: {
                /** @description Chosen by the caller, for one request. For 24 hours, the same request with the same key gets the first response again, with `Idempotent-Replayed: true`; another body is 422 `idempotency_key_reused`. */
                "Idempotency-Key"?: string;
                /**
                 * @description The `ETag` of the version that is to be changed, a list of several, or `*`. Another version is 412 `version_mismatch`; a weak or malformed tag is 422.
                 * @example *
                 */
                "If-Match"?: string;
            };
            path: {
                /**
                 * @description An id of `/v1/entries`
                 * @example 0198c5a2-0000-7000-8000-000000000001
                 */
                id: string;
                /**
                 * @description The number of the revision.
                 * @example 1
                 */
                n: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    ETag: components["headers"]["ETag"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "id": "0198c5a2-0000-7000-8000-000000000038",
                     *         "type": "article",
                     *         "slug": "autumn-collection",
                     *         "locale": "en",
                     *         "status": "draft",
                     *         "hasUnpublishedChanges": true,
                     *         "revision": 3,
                     *         "publishedRevision": null,
                     *         "publishedAt": null,
                     *         "publishAt": null,
                     *         "data": {
                     *           "title": "The autumn collection",
                     *           "body": "Warm colours, from Friday on.",
                     *           "picture": "0198c5a2-0000-7000-8000-000000000037"
                     *         },
                     *         "createdAt": "2026-08-20T10:00:00.000Z",
                     *         "updatedAt": "2026-08-20T10:02:00.000Z",
                     *         "version": 3
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["Entry"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ForbiddenOrModuleDisabledOrTenantSuspended"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["VersionMismatch"];
            413: components["responses"]["PayloadTooLarge"];
            422: components["responses"]["IdempotencyKeyReusedOrValidationError"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            502: components["responses"]["UpstreamUnavailable"];
            503: components["responses"]["ServiceUnavailable"];
            504: components["responses"]["UpstreamTimeout"];
        };
    };
    listContentEvents: {
        parameters: {
            query?: {
                /**
                 * @description A `page.nextCursor` of this feed, or `now` for its end. Without it, the oldest event that is kept.
                 * @example now
                 */
                after?: string;
                /**
                 * @description Only events of these types, separated by commas. All types by default.
                 * @example [
                 *       "content.entry.created"
                 *     ]
                 */
                types?: ("content.entry.created" | "content.entry.updated" | "content.entry.published" | "content.entry.scheduled" | "content.entry.unpublished" | "content.entry.deleted" | "content.revision.created" | "content_type.upserted" | "media.uploaded" | "media.processed" | "media.deleted" | "redirect.added" | "redirect.removed")[];
                /**
                 * @description The most items of a page.
                 * @example 25
                 */
                limit?: number;
                /**
                 * @description If there is no event, the response waits at most this long for the first one.
                 * @example 0
                 */
                waitSeconds?: number;
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
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": [
                     *         {
                     *           "id": "0198c5a2-0000-7000-8000-000000000040",
                     *           "type": "content.entry.published",
                     *           "occurredAt": "2026-08-20T10:05:00.000Z",
                     *           "requestId": "0198c5a2-0000-7000-8000-000000000041",
                     *           "actor": {
                     *             "type": "api_key",
                     *             "id": "0198c5a2-0000-7000-8000-000000000003",
                     *             "name": "Warehouse system"
                     *           },
                     *           "data": {
                     *             "entry": {
                     *               "id": "0198c5a2-0000-7000-8000-000000000038",
                     *               "type": "article",
                     *               "slug": "autumn-collection",
                     *               "locale": "en",
                     *               "status": "published",
                     *               "hasUnpublishedChanges": false,
                     *               "revision": 3,
                     *               "publishedRevision": 3,
                     *               "publishedAt": "2026-08-20T10:05:00.000Z",
                     *               "publishAt": null,
                     *               "data": {
                     *                 "title": "The autumn collection",
                     *                 "body": "Warm colours, from Friday on.",
                     *                 "picture": "0198c5a2-0000-7000-8000-000000000037"
                     *               },
                     *               "createdAt": "2026-08-20T10:00:00.000Z",
                     *               "updatedAt": "2026-08-20T10:05:00.000Z",
                     *               "version": 6
                     *             }
                     *           }
                     *         },
                     *         {
                     *           "id": "0198c5a2-0000-7000-8000-000000000042",
                     *           "type": "redirect.added",
                     *           "occurredAt": "2026-08-20T10:07:00.000Z",
                     *           "requestId": "0198c5a2-0000-7000-8000-000000000043",
                     *           "actor": {
                     *             "type": "api_key",
                     *             "id": "0198c5a2-0000-7000-8000-000000000003",
                     *             "name": "Warehouse system"
                     *           },
                     *           "data": {
                     *             "redirect": {
                     *               "id": "0198c5a2-0000-7000-8000-000000000039",
                     *               "from": "/old%20shop",
                     *               "to": "/shop",
                     *               "type": 308,
                     *               "createdAt": "2026-08-20T10:07:00.000Z",
                     *               "version": 1
                     *             }
                     *           }
                     *         }
                     *       ],
                     *       "page": {
                     *         "nextCursor": "MjAyNi0wOC0yMFQwOTozMDowMC4wMDBa",
                     *         "hasMore": false
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: (components["schemas"]["ContentEntryCreatedEvent"] | components["schemas"]["ContentEntryUpdatedEvent"] | components["schemas"]["ContentEntryPublishedEvent"] | components["schemas"]["ContentEntryScheduledEvent"] | components["schemas"]["ContentEntryUnpublishedEvent"] | components["schemas"]["ContentEntryDeletedEvent"] | components["schemas"]["ContentRevisionCreatedEvent"] | components["schemas"]["ContentTypeUpsertedEvent"] | components["schemas"]["MediaUploadedEvent"] | components["schemas"]["MediaProcessedEvent"] | components["schemas"]["MediaDeletedEvent"] | components["schemas"]["RedirectAddedEvent"] | components["schemas"]["RedirectRemovedEvent"])[];
                        page: components["schemas"]["FeedPage"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ForbiddenOrModuleDisabledOrTenantSuspended"];
            410: components["responses"]["CursorExpired"];
            413: components["responses"]["PayloadTooLarge"];
            422: components["responses"]["ValidationError"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            502: components["responses"]["UpstreamUnavailable"];
            503: components["responses"]["ServiceUnavailable"];
            504: components["responses"]["UpstreamTimeout"];
        };
    };
    listMedia: {
        parameters: {
            query?: {
                /**
                 * @description The most items of a page.
                 * @example 25
                 */
                limit?: number;
                /** @description `page.nextCursor` of the page before. */
                cursor?: string;
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
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    Link: components["headers"]["Link"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": [
                     *         {
                     *           "id": "0198c5a2-0000-7000-8000-000000000037",
                     *           "filename": "autumn.png",
                     *           "contentType": "image/png",
                     *           "sizeBytes": 14792,
                     *           "sha256": "21d78d172ec6178feee0e6f1af6be5f77651d1b4c35b399198feb0bb34c01e00",
                     *           "status": "ready",
                     *           "width": 2400,
                     *           "height": 1600,
                     *           "url": "/v1/media/0198c5a2-0000-7000-8000-000000000037/file",
                     *           "variants": [
                     *             {
                     *               "name": "thumbnail",
                     *               "width": 320,
                     *               "height": 213,
                     *               "contentType": "image/webp",
                     *               "sizeBytes": 218,
                     *               "url": "/v1/media/0198c5a2-0000-7000-8000-000000000037/file?variant=thumbnail"
                     *             },
                     *             {
                     *               "name": "medium",
                     *               "width": 960,
                     *               "height": 640,
                     *               "contentType": "image/webp",
                     *               "sizeBytes": 1182,
                     *               "url": "/v1/media/0198c5a2-0000-7000-8000-000000000037/file?variant=medium"
                     *             },
                     *             {
                     *               "name": "large",
                     *               "width": 1920,
                     *               "height": 1280,
                     *               "contentType": "image/webp",
                     *               "sizeBytes": 4460,
                     *               "url": "/v1/media/0198c5a2-0000-7000-8000-000000000037/file?variant=large"
                     *             }
                     *           ],
                     *           "createdAt": "2026-08-20T09:59:00.000Z"
                     *         }
                     *       ],
                     *       "page": {
                     *         "nextCursor": null
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["Media"][];
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
    uploadMedia: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "multipart/form-data": {
                    /**
                     * Format: binary
                     * @description One file, with its filename, of at most 25 MiB.
                     */
                    file: string;
                };
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    Location: components["headers"]["Location"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "id": "0198c5a2-0000-7000-8000-000000000037",
                     *         "filename": "autumn.png",
                     *         "contentType": "image/png",
                     *         "sizeBytes": 14792,
                     *         "sha256": "21d78d172ec6178feee0e6f1af6be5f77651d1b4c35b399198feb0bb34c01e00",
                     *         "status": "uploaded",
                     *         "width": null,
                     *         "height": null,
                     *         "url": "/v1/media/0198c5a2-0000-7000-8000-000000000037/file",
                     *         "variants": [],
                     *         "createdAt": "2026-08-20T09:59:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["Media"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ForbiddenOrModuleDisabledOrTenantSuspended"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["ValidationError"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            502: components["responses"]["UpstreamUnavailable"];
            503: components["responses"]["ServiceUnavailable"];
            504: components["responses"]["UpstreamTimeout"];
        };
    };
    getMedia: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description An id of `/v1/media`
                 * @example 0198c5a2-0000-7000-8000-000000000001
                 */
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
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "id": "0198c5a2-0000-7000-8000-000000000037",
                     *         "filename": "autumn.png",
                     *         "contentType": "image/png",
                     *         "sizeBytes": 14792,
                     *         "sha256": "21d78d172ec6178feee0e6f1af6be5f77651d1b4c35b399198feb0bb34c01e00",
                     *         "status": "ready",
                     *         "width": 2400,
                     *         "height": 1600,
                     *         "url": "/v1/media/0198c5a2-0000-7000-8000-000000000037/file",
                     *         "variants": [
                     *           {
                     *             "name": "thumbnail",
                     *             "width": 320,
                     *             "height": 213,
                     *             "contentType": "image/webp",
                     *             "sizeBytes": 218,
                     *             "url": "/v1/media/0198c5a2-0000-7000-8000-000000000037/file?variant=thumbnail"
                     *           },
                     *           {
                     *             "name": "medium",
                     *             "width": 960,
                     *             "height": 640,
                     *             "contentType": "image/webp",
                     *             "sizeBytes": 1182,
                     *             "url": "/v1/media/0198c5a2-0000-7000-8000-000000000037/file?variant=medium"
                     *           },
                     *           {
                     *             "name": "large",
                     *             "width": 1920,
                     *             "height": 1280,
                     *             "contentType": "image/webp",
                     *             "sizeBytes": 4460,
                     *             "url": "/v1/media/0198c5a2-0000-7000-8000-000000000037/file?variant=large"
                     *           }
                     *         ],
                     *         "createdAt": "2026-08-20T09:59:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["Media"];
                    };
                };
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
    deleteMedia: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description An id of `/v1/media`
                 * @example 0198c5a2-0000-7000-8000-000000000001
                 */
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
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "id": "0198c5a2-0000-7000-8000-000000000037",
                     *         "deleted": true
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["Deleted"];
                    };
                };
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
    getMediaFile: {
        parameters: {
            query?: {
                /**
                 * @description A smaller version of an image, as WebP. The original by default.
                 * @example thumbnail
                 */
                variant?: "thumbnail" | "medium" | "large";
            };
            header?: {
                /**
                 * @description An `ETag`. While it is the current one, the response is 304.
                 * @example "0"
                 */
                "If-None-Match"?: string;
                /**
                 * @description One range of bytes, such as `bytes=0-1023`. Several ranges get the whole file.
                 * @example bytes=0-1023
                 */
                Range?: string;
                /**
                 * @description An `ETag`: `Range` counts only while it is the current one.
                 * @example "0"
                 */
                "If-Range"?: string;
            };
            path: {
                /**
                 * @description An id of `/v1/media`
                 * @example 0198c5a2-0000-7000-8000-000000000001
                 */
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
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    ETag: components["headers"]["ETag"];
                    "Accept-Ranges": components["headers"]["Accept-Ranges"];
                    "Content-Disposition": components["headers"]["Content-Disposition"];
                    [name: string]: unknown;
                };
                content: {
                    "*/*": string;
                };
            };
            /** @description A part of the file. */
            206: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    ETag: components["headers"]["ETag"];
                    "Accept-Ranges": components["headers"]["Accept-Ranges"];
                    "Content-Disposition": components["headers"]["Content-Disposition"];
                    "Content-Range": components["headers"]["Content-Range"];
                    [name: string]: unknown;
                };
                content: {
                    "*/*": string;
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
            416: components["responses"]["RangeNotSatisfiable"];
            422: components["responses"]["ValidationError"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            502: components["responses"]["UpstreamUnavailable"];
            503: components["responses"]["ServiceUnavailable"];
            504: components["responses"]["UpstreamTimeout"];
        };
    };
    createMediaLink: {
        parameters: {
            query?: never;
            header?: {
                /** @description Chosen by the caller, for one request. For 24 hours, the same request with the same key gets the first response again, with `Idempotent-Replayed: true`; another body is 422 `idempotency_key_reused`. */
                "Idempotency-Key"?: string;
            };
            path: {
                /**
                 * @description An id of `/v1/media`
                 * @example 0198c5a2-0000-7000-8000-000000000001
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "variant": "medium",
                 *       "expiresInSeconds": 86400
                 *     }
                 */
                "application/json": {
                    /**
                     * @description A smaller version of an image, as WebP. The original by default.
                     * @enum {string|null}
                     */
                    variant?: "thumbnail" | "medium" | "large" | null;
                    /**
                     * @description How long the link is valid, in seconds.
                     * @default 3600
                     */
                    expiresInSeconds?: number | null;
                };
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "url": "/v1/media/0198c5a2-0000-7000-8000-000000000037/links/file?tenant=0198c5a2-0000-7000-8000-000000000002&variant=medium&expires=1787304600&signature=0000000000000000000000000000000000000000000000000000000000000000",
                     *         "expiresAt": "2026-08-21T09:30:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["MediaLink"];
                    };
                };
            };
            400: components["responses"]["BadRequestOrInvalidJson"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ForbiddenOrModuleDisabledOrTenantSuspended"];
            404: components["responses"]["NotFound"];
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
    endMediaLinks: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description An id of `/v1/media`
                 * @example 0198c5a2-0000-7000-8000-000000000001
                 */
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
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "id": "0198c5a2-0000-7000-8000-000000000037",
                     *         "linksEnded": true
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: {
                            /** Format: uuid */
                            id: string;
                            /** @constant */
                            linksEnded: true;
                        };
                    };
                };
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
    getLinkedFile: {
        parameters: {
            query?: {
                /** @description As in the link. */
                tenant?: string;
                /**
                 * @description As in the link.
                 * @example thumbnail
                 */
                variant?: string;
                /** @description As in the link, in seconds since 1970. */
                expires?: string;
                /** @description As in the link. */
                ended?: string;
                /** @description As in the link. */
                signature?: string;
            };
            header?: {
                /**
                 * @description An `ETag`. While it is the current one, the response is 304.
                 * @example "0"
                 */
                "If-None-Match"?: string;
                /**
                 * @description One range of bytes, such as `bytes=0-1023`. Several ranges get the whole file.
                 * @example bytes=0-1023
                 */
                Range?: string;
                /**
                 * @description An `ETag`: `Range` counts only while it is the current one.
                 * @example "0"
                 */
                "If-Range"?: string;
            };
            path: {
                /**
                 * @description An id of `/v1/media`
                 * @example 0198c5a2-0000-7000-8000-000000000001
                 */
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
                    "Accept-Ranges": components["headers"]["Accept-Ranges"];
                    "Content-Disposition": components["headers"]["Content-Disposition"];
                    [name: string]: unknown;
                };
                content: {
                    "*/*": string;
                };
            };
            /** @description A part of the file. */
            206: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    "Accept-Ranges": components["headers"]["Accept-Ranges"];
                    "Content-Disposition": components["headers"]["Content-Disposition"];
                    "Content-Range": components["headers"]["Content-Range"];
                    [name: string]: unknown;
                };
                content: {
                    "*/*": string;
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
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            416: components["responses"]["RangeNotSatisfiable"];
            422: components["responses"]["ValidationError"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            502: components["responses"]["UpstreamUnavailable"];
            503: components["responses"]["ServiceUnavailable"];
            504: components["responses"]["UpstreamTimeout"];
        };
    };
    listSubscriptions: {
        parameters: {
            query?: {
                /**
                 * @description The most items of a page.
                 * @example 25
                 */
                limit?: number;
                /** @description `page.nextCursor` of the page before. */
                cursor?: string;
                /**
                 * @description Only active or only paused subscriptions.
                 * @example true
                 */
                active?: "true" | "false";
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
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    Link: components["headers"]["Link"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": [
                     *         {
                     *           "id": "0198c5a2-0000-7000-8000-000000000049",
                     *           "name": "ERP",
                     *           "url": "https://erp.harbour-goods.example/hooks/tradepost",
                     *           "events": [
                     *             "redirect.added",
                     *             "redirect.removed"
                     *           ],
                     *           "active": true,
                     *           "headers": {
                     *             "Authorization": "•••"
                     *           },
                     *           "signingSecretPreview": "whsec_xx",
                     *           "previousSecretUntil": null,
                     *           "health": {
                     *             "status": "healthy",
                     *             "consecutiveFailures": 3,
                     *             "lastSuccessAt": null,
                     *             "lastFailureAt": "2026-08-20T10:13:00.000Z",
                     *             "lastError": "http_status 503"
                     *           },
                     *           "createdAt": "2026-08-20T10:08:00.000Z",
                     *           "version": 1
                     *         }
                     *       ],
                     *       "page": {
                     *         "nextCursor": null
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["Subscription"][];
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
    createSubscription: {
        parameters: {
            query?: never;
            header?: {
                /** @description Chosen by the caller, for one request. For 24 hours, the same request with the same key gets the first response again, with `Idempotent-Replayed: true`; another body is 422 `idempotency_key_reused`. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "ERP",
                 *       "url": "https://erp.harbour-goods.example/hooks/tradepost",
                 *       "events": [
                 *         "redirect.added",
                 *         "redirect.removed"
                 *       ],
                 *       "headers": {
                 *         "Authorization": "Bearer erp-receiver"
                 *       }
                 *     }
                 */
                "application/json": {
                    name: string;
                    /** @description An https URL on the public internet, without user, password and fragment. */
                    url: string;
                    events: components["schemas"]["SubscribableType"][];
                    /** @description An object with any fields */
                    headers?: {
                        [key: string]: string;
                    } | null;
                };
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    ETag: components["headers"]["ETag"];
                    Location: components["headers"]["Location"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "id": "0198c5a2-0000-7000-8000-000000000049",
                     *         "name": "ERP",
                     *         "url": "https://erp.harbour-goods.example/hooks/tradepost",
                     *         "events": [
                     *           "redirect.added",
                     *           "redirect.removed"
                     *         ],
                     *         "active": true,
                     *         "headers": {
                     *           "Authorization": "•••"
                     *         },
                     *         "previousSecretUntil": null,
                     *         "health": {
                     *           "status": "healthy",
                     *           "consecutiveFailures": 0,
                     *           "lastSuccessAt": null,
                     *           "lastFailureAt": null,
                     *           "lastError": null
                     *         },
                     *         "createdAt": "2026-08-20T10:08:00.000Z",
                     *         "version": 1,
                     *         "signingSecret": "whsec_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx="
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["SubscriptionWithSecret"];
                    };
                };
            };
            400: components["responses"]["BadRequestOrInvalidJson"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ForbiddenOrTenantSuspended"];
            409: components["responses"]["SubscriptionLimit"];
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
    getSubscription: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description An id of `/v1/webhooks/subscriptions`
                 * @example 0198c5a2-0000-7000-8000-000000000001
                 */
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
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "id": "0198c5a2-0000-7000-8000-000000000049",
                     *         "name": "ERP",
                     *         "url": "https://erp.harbour-goods.example/hooks/tradepost",
                     *         "events": [
                     *           "redirect.added",
                     *           "redirect.removed"
                     *         ],
                     *         "active": true,
                     *         "headers": {
                     *           "Authorization": "•••"
                     *         },
                     *         "signingSecretPreview": "whsec_xx",
                     *         "previousSecretUntil": null,
                     *         "health": {
                     *           "status": "healthy",
                     *           "consecutiveFailures": 3,
                     *           "lastSuccessAt": null,
                     *           "lastFailureAt": "2026-08-20T10:13:00.000Z",
                     *           "lastError": "http_status 503"
                     *         },
                     *         "createdAt": "2026-08-20T10:08:00.000Z",
                     *         "version": 1
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["Subscription"];
                    };
                };
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
    deleteSubscription: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The `ETag` of the version that is to be changed, a list of several, or `*`. Another version is 412 `version_mismatch`; a weak or malformed tag is 422.
                 * @example *
                 */
                "If-Match"?: string;
            };
            path: {
                /**
                 * @description An id of `/v1/webhooks/subscriptions`
                 * @example 0198c5a2-0000-7000-8000-000000000001
                 */
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
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "id": "0198c5a2-0000-7000-8000-000000000049",
                     *         "deleted": true
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["Deleted"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ForbiddenOrTenantSuspended"];
            404: components["responses"]["NotFound"];
            412: components["responses"]["VersionMismatch"];
            413: components["responses"]["PayloadTooLarge"];
            422: components["responses"]["ValidationError"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            502: components["responses"]["UpstreamUnavailable"];
            503: components["responses"]["ServiceUnavailable"];
            504: components["responses"]["UpstreamTimeout"];
        };
    };
    updateSubscription: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The `ETag` of the version that is to be changed, a list of several, or `*`. Another version is 412 `version_mismatch`; a weak or malformed tag is 422.
                 * @example *
                 */
                "If-Match"?: string;
            };
            path: {
                /**
                 * @description An id of `/v1/webhooks/subscriptions`
                 * @example 0198c5a2-0000-7000-8000-000000000001
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "active": false,
                 *       "headers": {
                 *         "Authorization": "•••"
                 *       }
                 *     }
                 */
                "application/json": {
                    name?: string;
                    /** @description An https URL on the public internet, without user, password and fragment. */
                    url?: string;
                    events?: components["schemas"]["SubscribableType"][];
                    active?: boolean;
                    headers?: {
                        [key: string]: string;
                    } | null;
                };
                "application/merge-patch+json": {
                    name?: string;
                    /** @description An https URL on the public internet, without user, password and fragment. */
                    url?: string;
                    events?: components["schemas"]["SubscribableType"][];
                    active?: boolean;
                    headers?: {
                        [key: string]: string;
                    } | null;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "id": "0198c5a2-0000-7000-8000-000000000049",
                     *         "name": "ERP",
                     *         "url": "https://erp.harbour-goods.example/hooks/tradepost",
                     *         "events": [
                     *           "redirect.added",
                     *           "redirect.removed"
                     *         ],
                     *         "active": false,
                     *         "headers": {
                     *           "Authorization": "•••"
                     *         },
                     *         "signingSecretPreview": "whsec_xx",
                     *         "previousSecretUntil": "2026-08-22T09:30:00.000Z",
                     *         "health": {
                     *           "status": "healthy",
                     *           "consecutiveFailures": 0,
                     *           "lastSuccessAt": "2026-08-20T10:17:00.000Z",
                     *           "lastFailureAt": "2026-08-20T10:13:00.000Z",
                     *           "lastError": "http_status 503"
                     *         },
                     *         "createdAt": "2026-08-20T10:08:00.000Z",
                     *         "version": 3
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["Subscription"];
                    };
                };
            };
            400: components["responses"]["BadRequestOrInvalidJson"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ForbiddenOrTenantSuspended"];
            404: components["responses"]["NotFound"];
            412: components["responses"]["VersionMismatch"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["ValidationError"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            502: components["responses"]["UpstreamUnavailable"];
            503: components["responses"]["ServiceUnavailable"];
            504: components["responses"]["UpstreamTimeout"];
        };
    };
    rotateSubscriptionSecret: {
        parameters: {
            query?: never;
            header?: {
                /** @description Chosen by the caller, for one request. For 24 hours, the same request with the same key gets the first response again, with `Idempotent-Replayed: true`; another body is 422 `idempotency_key_reused`. */
                "Idempotency-Key"?: string;
                /**
                 * @description The `ETag` of the version that is to be changed, a list of several, or `*`. Another version is 412 `version_mismatch`; a weak or malformed tag is 422.
                 * @example *
                 */
                "If-Match"?: string;
            };
            path: {
                /**
                 * @description An id of `/v1/webhooks/subscriptions`
                 * @example 0198c5a2-0000-7000-8000-000000000001
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "overlapHours": 48
                 *     }
                 */
                "application/json": {
                    /**
                     * @description How long the previous secret signs too, in hours.
                     * @default 24
                     */
                    overlapHours?: number | null;
                    /**
                     * @description Whether to end an earlier secret that still signs.
                     * @default false
                     */
                    force?: boolean | null;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    ETag: components["headers"]["ETag"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "id": "0198c5a2-0000-7000-8000-000000000049",
                     *         "name": "ERP",
                     *         "url": "https://erp.harbour-goods.example/hooks/tradepost",
                     *         "events": [
                     *           "redirect.added",
                     *           "redirect.removed"
                     *         ],
                     *         "active": true,
                     *         "headers": {
                     *           "Authorization": "•••"
                     *         },
                     *         "previousSecretUntil": "2026-08-22T09:30:00.000Z",
                     *         "health": {
                     *           "status": "healthy",
                     *           "consecutiveFailures": 0,
                     *           "lastSuccessAt": "2026-08-20T10:17:00.000Z",
                     *           "lastFailureAt": "2026-08-20T10:13:00.000Z",
                     *           "lastError": "http_status 503"
                     *         },
                     *         "createdAt": "2026-08-20T10:08:00.000Z",
                     *         "version": 2,
                     *         "signingSecret": "whsec_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx="
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["SubscriptionWithSecret"];
                    };
                };
            };
            400: components["responses"]["BadRequestOrInvalidJson"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ForbiddenOrTenantSuspended"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["RotationInProgress"];
            412: components["responses"]["VersionMismatch"];
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
    sendTestDelivery: {
        parameters: {
            query?: never;
            header?: {
                /** @description Chosen by the caller, for one request. For 24 hours, the same request with the same key gets the first response again, with `Idempotent-Replayed: true`; another body is 422 `idempotency_key_reused`. */
                "Idempotency-Key"?: string;
                /**
                 * @description The `ETag` of the version that is to be changed, a list of several, or `*`. Another version is 412 `version_mismatch`; a weak or malformed tag is 422.
                 * @example *
                 */
                "If-Match"?: string;
            };
            path: {
                /**
                 * @description An id of `/v1/webhooks/subscriptions`
                 * @example 0198c5a2-0000-7000-8000-000000000001
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "type": "media.processed"
                 *     }
                 */
                "application/json": {
                    /** @description By default the first type that is subscribed to. */
                    type?: components["schemas"]["SubscribableType"] | null;
                };
            };
        };
        responses: {
            /** @description Accepted: the work goes on. */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "id": "0198c5a2-0000-7000-8000-000000000055",
                     *         "subscriptionId": "0198c5a2-0000-7000-8000-000000000049",
                     *         "eventId": "0198c5a2-0000-7000-8000-000000000056",
                     *         "type": "media.processed",
                     *         "status": "pending",
                     *         "attemptCount": 0,
                     *         "createdAt": "2026-08-20T10:19:00.000Z",
                     *         "nextAttemptAt": "2026-08-20T10:19:00.000Z",
                     *         "completedAt": null
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["Delivery"];
                    };
                };
            };
            400: components["responses"]["BadRequestOrInvalidJson"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ForbiddenOrTenantSuspended"];
            404: components["responses"]["NotFound"];
            412: components["responses"]["VersionMismatch"];
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
    recoverDeliveries: {
        parameters: {
            query?: never;
            header?: {
                /** @description Chosen by the caller, for one request. For 24 hours, the same request with the same key gets the first response again, with `Idempotent-Replayed: true`; another body is 422 `idempotency_key_reused`. */
                "Idempotency-Key"?: string;
                /**
                 * @description The `ETag` of the version that is to be changed, a list of several, or `*`. Another version is 412 `version_mismatch`; a weak or malformed tag is 422.
                 * @example *
                 */
                "If-Match"?: string;
            };
            path: {
                /**
                 * @description An id of `/v1/webhooks/subscriptions`
                 * @example 0198c5a2-0000-7000-8000-000000000001
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "since": "2026-08-20T09:35:00.000Z"
                 *     }
                 */
                "application/json": {
                    /**
                     * Format: date-time
                     * @description Deliveries that failed at this time or later.
                     */
                    since: string;
                    /**
                     * Format: date-time
                     * @description Deliveries that failed before this time. Now by default.
                     */
                    until?: string | null;
                    /**
                     * @description Whether to count them only.
                     * @default false
                     */
                    dryRun?: boolean | null;
                };
            };
        };
        responses: {
            /** @description Accepted: the work goes on. */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "id": "0198c5a2-0000-7000-8000-000000000054",
                     *         "matched": 1,
                     *         "requeued": 1
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["StartedRecovery"];
                    };
                };
            };
            400: components["responses"]["BadRequestOrInvalidJson"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ForbiddenOrTenantSuspended"];
            404: components["responses"]["NotFound"];
            412: components["responses"]["VersionMismatch"];
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
    getRecovery: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description An id of `/v1/webhooks/recoveries`
                 * @example 0198c5a2-0000-7000-8000-000000000001
                 */
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
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "id": "0198c5a2-0000-7000-8000-000000000054",
                     *         "subscriptionId": "0198c5a2-0000-7000-8000-000000000049",
                     *         "since": "2026-08-20T09:35:00.000Z",
                     *         "until": "2026-08-20T10:15:00.000Z",
                     *         "matched": 1,
                     *         "requeued": 1,
                     *         "createdAt": "2026-08-20T10:15:00.000Z",
                     *         "finishedAt": "2026-08-20T10:16:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["Recovery"];
                    };
                };
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
    listDeliveries: {
        parameters: {
            query?: {
                /**
                 * @description The most items of a page.
                 * @example 25
                 */
                limit?: number;
                /** @description `page.nextCursor` of the page before. */
                cursor?: string;
                /**
                 * @description Only deliveries to this subscription.
                 * @example 0198c5a2-0000-7000-8000-000000000001
                 */
                subscriptionId?: string;
                /**
                 * @description Only deliveries with this status.
                 * @example pending
                 */
                status?: "pending" | "retrying" | "paused" | "delivered" | "failed" | "cancelled";
                /**
                 * @description The event's type.
                 * @example article
                 */
                type?: string;
                /**
                 * @description Only deliveries of this event.
                 * @example 0198c5a2-0000-7000-8000-000000000001
                 */
                eventId?: string;
                /**
                 * @description Of the latest attempt.
                 * @example delivered
                 */
                outcome?: "delivered" | "http_status" | "timeout" | "dns_failed" | "connection_refused" | "connection_reset" | "tls_failed" | "address_refused" | "response_invalid" | "network_error";
                /**
                 * @description Of the latest attempt's response.
                 * @example 100
                 */
                statusCode?: number;
                /**
                 * @description Inclusive.
                 * @example 2026-08-20T09:30:00Z
                 */
                createdAfter?: string;
                /**
                 * @description Exclusive.
                 * @example 2026-08-20T09:30:00Z
                 */
                createdBefore?: string;
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
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    Link: components["headers"]["Link"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": [
                     *         {
                     *           "id": "0198c5a2-0000-7000-8000-000000000050",
                     *           "subscriptionId": "0198c5a2-0000-7000-8000-000000000049",
                     *           "eventId": "0198c5a2-0000-7000-8000-000000000051",
                     *           "type": "redirect.added",
                     *           "status": "failed",
                     *           "attemptCount": 3,
                     *           "createdAt": "2026-08-20T10:10:00.000Z",
                     *           "nextAttemptAt": null,
                     *           "completedAt": "2026-08-20T10:14:00.000Z"
                     *         }
                     *       ],
                     *       "page": {
                     *         "nextCursor": null
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["Delivery"][];
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
    getDelivery: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description An id of `/v1/webhooks/deliveries`
                 * @example 0198c5a2-0000-7000-8000-000000000001
                 */
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
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "id": "0198c5a2-0000-7000-8000-000000000050",
                     *         "subscriptionId": "0198c5a2-0000-7000-8000-000000000049",
                     *         "eventId": "0198c5a2-0000-7000-8000-000000000051",
                     *         "type": "redirect.added",
                     *         "status": "failed",
                     *         "attemptCount": 3,
                     *         "createdAt": "2026-08-20T10:10:00.000Z",
                     *         "nextAttemptAt": null,
                     *         "completedAt": "2026-08-20T10:14:00.000Z",
                     *         "attempts": [
                     *           {
                     *             "round": 1,
                     *             "attempt": 1,
                     *             "at": "2026-08-20T10:11:00.000Z",
                     *             "durationMs": 25,
                     *             "outcome": "http_status",
                     *             "statusCode": 503,
                     *             "responseBody": "answered 503"
                     *           },
                     *           {
                     *             "round": 1,
                     *             "attempt": 2,
                     *             "at": "2026-08-20T10:12:00.000Z",
                     *             "durationMs": 25,
                     *             "outcome": "http_status",
                     *             "statusCode": 503,
                     *             "responseBody": "answered 503"
                     *           },
                     *           {
                     *             "round": 1,
                     *             "attempt": 3,
                     *             "at": "2026-08-20T10:13:00.000Z",
                     *             "durationMs": 25,
                     *             "outcome": "http_status",
                     *             "statusCode": 503,
                     *             "responseBody": "answered 503"
                     *           }
                     *         ],
                     *         "request": {
                     *           "url": "https://erp.harbour-goods.example/hooks/tradepost",
                     *           "headers": {
                     *             "Host": "erp.harbour-goods.example",
                     *             "Content-Type": "application/json",
                     *             "User-Agent": "Tradepost-Webhooks/1",
                     *             "Accept-Encoding": "identity",
                     *             "X-service-Event": "redirect.added",
                     *             "X-service-Delivery": "0198c5a2-0000-7000-8000-000000000050",
                     *             "X-service-Attempt": "3",
                     *             "X-service-Event-Id": "0198c5a2-0000-7000-8000-000000000051",
                     *             "X-service-Event-Time": "2026-08-20T10:09:00.000Z",
                     *             "Authorization": "•••",
                     *             "webhook-id": "0198c5a2-0000-7000-8000-000000000050",
                     *             "webhook-timestamp": "1787218200",
                     *             "Content-Length": "334"
                     *           },
                     *           "body": "{\"id\":\"0198c5a2-0000-7000-8000-000000000050\",\"type\":\"redirect.added\",\"tenant_id\":\"0198c5a2-0000-7000-8000-000000000002\",\"data\":{\"redirect\":{\"id\":\"0198c5a2-0000-7000-8000-000000000052\",\"from\":\"/winter\",\"to\":\"/collections/winter\",\"type\":301,\"createdAt\":\"2026-08-20T10:09:00.000Z\",\"version\":1}},\"delivered_at\":\"2026-08-20T10:13:00.000Z\"}"
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["DeliveryWithAttempts"];
                    };
                };
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
    redeliver: {
        parameters: {
            query?: never;
            header?: {
                /** @description Chosen by the caller, for one request. For 24 hours, the same request with the same key gets the first response again, with `Idempotent-Replayed: true`; another body is 422 `idempotency_key_reused`. */
                "Idempotency-Key"?: string;
            };
            path: {
                /**
                 * @description An id of `/v1/webhooks/deliveries`
                 * @example 0198c5a2-0000-7000-8000-000000000001
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Accepted: the work goes on. */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "id": "0198c5a2-0000-7000-8000-000000000050",
                     *         "subscriptionId": "0198c5a2-0000-7000-8000-000000000049",
                     *         "eventId": "0198c5a2-0000-7000-8000-000000000051",
                     *         "type": "redirect.added",
                     *         "status": "pending",
                     *         "attemptCount": 0,
                     *         "createdAt": "2026-08-20T10:10:00.000Z",
                     *         "nextAttemptAt": "2026-08-20T10:18:00.000Z",
                     *         "completedAt": null
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["Delivery"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ForbiddenOrTenantSuspended"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            422: components["responses"]["IdempotencyKeyReusedOrValidationError"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            502: components["responses"]["UpstreamUnavailable"];
            503: components["responses"]["ServiceUnavailable"];
            504: components["responses"]["UpstreamTimeout"];
        };
    };
    listWebhookEvents: {
        parameters: {
            query?: {
                /**
                 * @description The most items of a page.
                 * @example 25
                 */
                limit?: number;
                /** @description `page.nextCursor` of the page before. */
                cursor?: string;
                /**
                 * @description The event's type.
                 * @example article
                 */
                type?: string;
                /**
                 * @description The id of a redirect, an entry or a media asset.
                 * @example 0198c5a2-0000-7000-8000-000000000001
                 */
                resourceId?: string;
                /**
                 * @description Limits `occurredAt`; inclusive.
                 * @example 2026-08-20T09:30:00Z
                 */
                createdAfter?: string;
                /**
                 * @description Limits `occurredAt`; exclusive.
                 * @example 2026-08-20T09:30:00Z
                 */
                createdBefore?: string;
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
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    Link: components["headers"]["Link"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": [
                     *         {
                     *           "id": "0198c5a2-0000-7000-8000-000000000051",
                     *           "type": "redirect.added",
                     *           "resourceId": "0198c5a2-0000-7000-8000-000000000052",
                     *           "occurredAt": "2026-08-20T10:09:00.000Z",
                     *           "requestId": "0198c5a2-0000-7000-8000-000000000053",
                     *           "deliveries": [
                     *             {
                     *               "id": "0198c5a2-0000-7000-8000-000000000050",
                     *               "subscriptionId": "0198c5a2-0000-7000-8000-000000000049",
                     *               "status": "failed"
                     *             }
                     *           ]
                     *         }
                     *       ],
                     *       "page": {
                     *         "nextCursor": null
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["WebhookEvent"][];
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
    getWebhookEvent: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description An id of `/v1/webhooks/events`
                 * @example 0198c5a2-0000-7000-8000-000000000001
                 */
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
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "id": "0198c5a2-0000-7000-8000-000000000051",
                     *         "type": "redirect.added",
                     *         "resourceId": "0198c5a2-0000-7000-8000-000000000052",
                     *         "occurredAt": "2026-08-20T10:09:00.000Z",
                     *         "requestId": "0198c5a2-0000-7000-8000-000000000053",
                     *         "deliveries": [
                     *           {
                     *             "id": "0198c5a2-0000-7000-8000-000000000050",
                     *             "subscriptionId": "0198c5a2-0000-7000-8000-000000000049",
                     *             "status": "failed"
                     *           }
                     *         ],
                     *         "data": {
                     *           "redirect": {
                     *             "id": "0198c5a2-0000-7000-8000-000000000052",
                     *             "from": "/winter",
                     *             "to": "/collections/winter",
                     *             "type": 301,
                     *             "createdAt": "2026-08-20T10:09:00.000Z",
                     *             "version": 1
                     *           }
                     *         },
                     *         "subscriptions": [
                     *           {
                     *             "subscriptionId": "0198c5a2-0000-7000-8000-000000000049",
                     *             "name": "ERP",
                     *             "matched": true,
                     *             "reason": null,
                     *             "deliveryId": "0198c5a2-0000-7000-8000-000000000050"
                     *           }
                     *         ]
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["ContentEntryCreatedDetails"] | components["schemas"]["ContentEntryUpdatedDetails"] | components["schemas"]["ContentEntryPublishedDetails"] | components["schemas"]["ContentEntryScheduledDetails"] | components["schemas"]["ContentEntryUnpublishedDetails"] | components["schemas"]["ContentEntryDeletedDetails"] | components["schemas"]["MediaUploadedDetails"] | components["schemas"]["MediaProcessedDetails"] | components["schemas"]["RedirectAddedDetails"] | components["schemas"]["RedirectRemovedDetails"];
                    };
                };
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
    listEventTypes: {
        parameters: {
            query?: never;
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
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    Link: components["headers"]["Link"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["EventType"][];
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
    listListeners: {
        parameters: {
            query?: {
                /**
                 * @description The most items of a page.
                 * @example 25
                 */
                limit?: number;
                /** @description `page.nextCursor` of the page before. */
                cursor?: string;
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
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    Link: components["headers"]["Link"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": [
                     *         {
                     *           "id": "0198c5a2-0000-7000-8000-000000000057",
                     *           "name": "Laptop",
                     *           "events": [
                     *             "redirect.added"
                     *           ],
                     *           "active": true,
                     *           "signingSecretPreview": "whsec_xx",
                     *           "expiresInHours": 8,
                     *           "expiresAt": "2026-08-20T17:30:00.000Z",
                     *           "waiting": {
                     *             "pending": 0,
                     *             "retrying": 0,
                     *             "leased": 1,
                     *             "paused": 0
                     *           },
                     *           "createdAt": "2026-08-20T10:20:00.000Z"
                     *         }
                     *       ],
                     *       "page": {
                     *         "nextCursor": null
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["Listener"][];
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
    createListener: {
        parameters: {
            query?: never;
            header?: {
                /** @description Chosen by the caller, for one request. For 24 hours, the same request with the same key gets the first response again, with `Idempotent-Replayed: true`; another body is 422 `idempotency_key_reused`. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Laptop",
                 *       "events": [
                 *         "redirect.added"
                 *       ],
                 *       "expiresInHours": 8
                 *     }
                 */
                "application/json": {
                    /** @default Listener */
                    name?: string | null;
                    events: components["schemas"]["SubscribableType"][];
                    /** @default 24 */
                    expiresInHours?: number | null;
                };
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    Location: components["headers"]["Location"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "id": "0198c5a2-0000-7000-8000-000000000057",
                     *         "name": "Laptop",
                     *         "events": [
                     *           "redirect.added"
                     *         ],
                     *         "active": true,
                     *         "expiresInHours": 8,
                     *         "expiresAt": "2026-08-20T17:30:00.000Z",
                     *         "createdAt": "2026-08-20T10:20:00.000Z",
                     *         "signingSecret": "whsec_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx="
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["NewListener"];
                    };
                };
            };
            400: components["responses"]["BadRequestOrInvalidJson"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ForbiddenOrModuleDisabledOrTenantSuspended"];
            409: components["responses"]["ListenerLimit"];
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
    getListener: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description An id of `/v1/webhooks/listeners`
                 * @example 0198c5a2-0000-7000-8000-000000000001
                 */
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
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "id": "0198c5a2-0000-7000-8000-000000000057",
                     *         "name": "Laptop",
                     *         "events": [
                     *           "redirect.added"
                     *         ],
                     *         "active": true,
                     *         "signingSecretPreview": "whsec_xx",
                     *         "expiresInHours": 8,
                     *         "expiresAt": "2026-08-20T17:30:00.000Z",
                     *         "waiting": {
                     *           "pending": 0,
                     *           "retrying": 0,
                     *           "leased": 1,
                     *           "paused": 0
                     *         },
                     *         "createdAt": "2026-08-20T10:20:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["Listener"];
                    };
                };
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
    deleteListener: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description An id of `/v1/webhooks/listeners`
                 * @example 0198c5a2-0000-7000-8000-000000000001
                 */
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
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "id": "0198c5a2-0000-7000-8000-000000000057",
                     *         "deleted": true
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["Deleted"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ForbiddenOrTenantSuspended"];
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
    leaseDeliveries: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description An id of `/v1/webhooks/listeners`
                 * @example 0198c5a2-0000-7000-8000-000000000001
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "limit": 1,
                 *       "waitSeconds": 25
                 *     }
                 */
                "application/json": {
                    /** @default 10 */
                    limit?: number | null;
                    /** @default 0 */
                    waitSeconds?: number | null;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": [
                     *         {
                     *           "deliveryId": "0198c5a2-0000-7000-8000-000000000058",
                     *           "attempt": 1,
                     *           "leasedUntil": "2026-08-20T09:31:00.000Z",
                     *           "headers": {
                     *             "Content-Type": "application/json",
                     *             "User-Agent": "Tradepost-Webhooks/1",
                     *             "Accept-Encoding": "identity",
                     *             "X-service-Event": "redirect.added",
                     *             "X-service-Delivery": "0198c5a2-0000-7000-8000-000000000058",
                     *             "X-service-Attempt": "1",
                     *             "X-service-Event-Id": "0198c5a2-0000-7000-8000-000000000059",
                     *             "X-service-Event-Time": "2026-08-20T10:21:00.000Z",
                     *             "X-service-Signature": "sha256=0000000000000000000000000000000000000000000000000000000000000000",
                     *             "webhook-id": "0198c5a2-0000-7000-8000-000000000058",
                     *             "webhook-timestamp": "1787218200",
                     *             "webhook-signature": "v1,xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx="
                     *           },
                     *           "body": "{\"id\":\"0198c5a2-0000-7000-8000-000000000058\",\"type\":\"redirect.added\",\"tenant_id\":\"0198c5a2-0000-7000-8000-000000000002\",\"data\":{\"redirect\":{\"id\":\"0198c5a2-0000-7000-8000-000000000060\",\"from\":\"/spring\",\"to\":\"/collections/spring\",\"type\":301,\"createdAt\":\"2026-08-20T10:21:00.000Z\",\"version\":1}},\"delivered_at\":\"2026-08-20T10:23:00.000Z\"}"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["LeasedDelivery"][];
                    };
                };
            };
            400: components["responses"]["BadRequestOrInvalidJson"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ForbiddenOrModuleDisabledOrTenantSuspended"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["ValidationError"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            502: components["responses"]["UpstreamUnavailable"];
            503: components["responses"]["ServiceUnavailable"];
            504: components["responses"]["UpstreamTimeout"];
        };
    };
    reportResult: {
        parameters: {
            query?: never;
            header?: {
                /** @description Chosen by the caller, for one request. For 24 hours, the same request with the same key gets the first response again, with `Idempotent-Replayed: true`; another body is 422 `idempotency_key_reused`. */
                "Idempotency-Key"?: string;
            };
            path: {
                /**
                 * @description An id of `/v1/webhooks/listeners`
                 * @example 0198c5a2-0000-7000-8000-000000000001
                 */
                id: string;
                /**
                 * @description An id of `/v1/webhooks/listeners/:id/deliveries`
                 * @example 0198c5a2-0000-7000-8000-000000000001
                 */
                deliveryId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "attempt": 1,
                 *       "statusCode": 200,
                 *       "responseBody": "ok",
                 *       "durationMs": 25
                 *     }
                 */
                "application/json": {
                    attempt: number;
                    statusCode: number;
                    responseBody?: string | null;
                    durationMs: number;
                } | {
                    attempt: number;
                    /** @enum {string} */
                    outcome: "timeout" | "dns_failed" | "connection_refused" | "connection_reset" | "tls_failed" | "address_refused" | "response_invalid" | "network_error";
                    durationMs?: number | null;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "id": "0198c5a2-0000-7000-8000-000000000058",
                     *         "subscriptionId": "0198c5a2-0000-7000-8000-000000000057",
                     *         "eventId": "0198c5a2-0000-7000-8000-000000000059",
                     *         "type": "redirect.added",
                     *         "status": "delivered",
                     *         "attemptCount": 1,
                     *         "createdAt": "2026-08-20T10:22:00.000Z",
                     *         "nextAttemptAt": null,
                     *         "completedAt": "2026-08-20T10:24:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["Delivery"];
                    };
                };
            };
            400: components["responses"]["BadRequestOrInvalidJson"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ForbiddenOrTenantSuspended"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
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
    redeliverToListener: {
        parameters: {
            query?: never;
            header?: {
                /** @description Chosen by the caller, for one request. For 24 hours, the same request with the same key gets the first response again, with `Idempotent-Replayed: true`; another body is 422 `idempotency_key_reused`. */
                "Idempotency-Key"?: string;
            };
            path: {
                /**
                 * @description An id of `/v1/webhooks/listeners`
                 * @example 0198c5a2-0000-7000-8000-000000000001
                 */
                id: string;
                /**
                 * @description An id of `/v1/webhooks/listeners/:id/deliveries`
                 * @example 0198c5a2-0000-7000-8000-000000000001
                 */
                deliveryId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Accepted: the work goes on. */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "id": "0198c5a2-0000-7000-8000-000000000058",
                     *         "subscriptionId": "0198c5a2-0000-7000-8000-000000000057",
                     *         "eventId": "0198c5a2-0000-7000-8000-000000000059",
                     *         "type": "redirect.added",
                     *         "status": "pending",
                     *         "attemptCount": 0,
                     *         "createdAt": "2026-08-20T10:22:00.000Z",
                     *         "nextAttemptAt": "2026-08-20T10:25:00.000Z",
                     *         "completedAt": null
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["Delivery"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ForbiddenOrModuleDisabledOrTenantSuspended"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            422: components["responses"]["IdempotencyKeyReusedOrValidationError"];
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
                /** @description The event's type, as in the body. */
                "X-service-Event": components["parameters"]["X-service-Event"];
                /** @description The delivery's id, as in the body: the same in every attempt. Deduplicate by it. */
                "X-service-Delivery": components["parameters"]["X-service-Delivery"];
                /** @description The number of the attempt, from 1; from 1 again after a redelivery. */
                "X-service-Attempt": components["parameters"]["X-service-Attempt"];
                /** @description The event's id, the same in the deliveries of all subscriptions. */
                "X-service-Event-Id": components["parameters"]["X-service-Event-Id"];
                /** @description When the event was committed. */
                "X-service-Event-Time": components["parameters"]["X-service-Event-Time"];
                /** @description `sha256=` and the HMAC-SHA256 of the body's bytes in hex. The key is the whole secret as it is written, `whsec_` included. */
                "X-service-Signature": components["parameters"]["X-service-Signature"];
                /** @description The same with the previous secret, while a rotation overlaps. */
                "X-service-Signature-Previous"?: components["parameters"]["X-service-Signature-Previous"];
                /** @description The delivery's id, as [Standard Webhooks](https://www.standardwebhooks.com) defines it. */
                "webhook-id": components["parameters"]["webhook-id"];
                /** @description The time of the attempt in seconds since 1970. */
                "webhook-timestamp": components["parameters"]["webhook-timestamp"];
                /** @description `v1,` and the HMAC-SHA256 of `webhook-id`, `.`, `webhook-timestamp`, `.` and the body in base64. The key is the bytes that the base64 after `whsec_` encodes. While a rotation overlaps there are two, separated by a space, the new one first. */
                "webhook-signature": components["parameters"]["webhook-signature"];
                /** @description The same in every request. */
                "User-Agent": components["parameters"]["User-Agent"];
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
                     * @description The delivery's id: the same in every attempt.
                     */
                    id: string;
                    /** @constant */
                    type: "content.entry.created";
                    /**
                     * Format: uuid
                     * @description The tenant of the event.
                     */
                    tenant_id: string;
                    data: {
                        entry: components["schemas"]["Entry"];
                        /**
                         * @description Only in an example event, which `sendTestDelivery` sends.
                         * @constant
                         */
                        test?: true;
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
            /** @description Received: the delivery is complete. The response's body does not matter. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description A failed attempt, and so is no complete response within 10 s. It is repeated after about 1, 5, 15 and 30 minutes and 1, 2 and 4 hours; the eighth attempt is the last. Redirects are not followed. */
            default: {
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
                /** @description The event's type, as in the body. */
                "X-service-Event": components["parameters"]["X-service-Event"];
                /** @description The delivery's id, as in the body: the same in every attempt. Deduplicate by it. */
                "X-service-Delivery": components["parameters"]["X-service-Delivery"];
                /** @description The number of the attempt, from 1; from 1 again after a redelivery. */
                "X-service-Attempt": components["parameters"]["X-service-Attempt"];
                /** @description The event's id, the same in the deliveries of all subscriptions. */
                "X-service-Event-Id": components["parameters"]["X-service-Event-Id"];
                /** @description When the event was committed. */
                "X-service-Event-Time": components["parameters"]["X-service-Event-Time"];
                /** @description `sha256=` and the HMAC-SHA256 of the body's bytes in hex. The key is the whole secret as it is written, `whsec_` included. */
                "X-service-Signature": components["parameters"]["X-service-Signature"];
                /** @description The same with the previous secret, while a rotation overlaps. */
                "X-service-Signature-Previous"?: components["parameters"]["X-service-Signature-Previous"];
                /** @description The delivery's id, as [Standard Webhooks](https://www.standardwebhooks.com) defines it. */
                "webhook-id": components["parameters"]["webhook-id"];
                /** @description The time of the attempt in seconds since 1970. */
                "webhook-timestamp": components["parameters"]["webhook-timestamp"];
                /** @description `v1,` and the HMAC-SHA256 of `webhook-id`, `.`, `webhook-timestamp`, `.` and the body in base64. The key is the bytes that the base64 after `whsec_` encodes. While a rotation overlaps there are two, separated by a space, the new one first. */
                "webhook-signature": components["parameters"]["webhook-signature"];
                /** @description The same in every request. */
                "User-Agent": components["parameters"]["User-Agent"];
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
                     * @description The delivery's id: the same in every attempt.
                     */
                    id: string;
                    /** @constant */
                    type: "content.entry.updated";
                    /**
                     * Format: uuid
                     * @description The tenant of the event.
                     */
                    tenant_id: string;
                    data: {
                        entry: components["schemas"]["Entry"];
                        /**
                         * @description Only in an example event, which `sendTestDelivery` sends.
                         * @constant
                         */
                        test?: true;
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
            /** @description Received: the delivery is complete. The response's body does not matter. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description A failed attempt, and so is no complete response within 10 s. It is repeated after about 1, 5, 15 and 30 minutes and 1, 2 and 4 hours; the eighth attempt is the last. Redirects are not followed. */
            default: {
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
                /** @description The event's type, as in the body. */
                "X-service-Event": components["parameters"]["X-service-Event"];
                /** @description The delivery's id, as in the body: the same in every attempt. Deduplicate by it. */
                "X-service-Delivery": components["parameters"]["X-service-Delivery"];
                /** @description The number of the attempt, from 1; from 1 again after a redelivery. */
                "X-service-Attempt": components["parameters"]["X-service-Attempt"];
                /** @description The event's id, the same in the deliveries of all subscriptions. */
                "X-service-Event-Id": components["parameters"]["X-service-Event-Id"];
                /** @description When the event was committed. */
                "X-service-Event-Time": components["parameters"]["X-service-Event-Time"];
                /** @description `sha256=` and the HMAC-SHA256 of the body's bytes in hex. The key is the whole secret as it is written, `whsec_` included. */
                "X-service-Signature": components["parameters"]["X-service-Signature"];
                /** @description The same with the previous secret, while a rotation overlaps. */
                "X-service-Signature-Previous"?: components["parameters"]["X-service-Signature-Previous"];
                /** @description The delivery's id, as [Standard Webhooks](https://www.standardwebhooks.com) defines it. */
                "webhook-id": components["parameters"]["webhook-id"];
                /** @description The time of the attempt in seconds since 1970. */
                "webhook-timestamp": components["parameters"]["webhook-timestamp"];
                /** @description `v1,` and the HMAC-SHA256 of `webhook-id`, `.`, `webhook-timestamp`, `.` and the body in base64. The key is the bytes that the base64 after `whsec_` encodes. While a rotation overlaps there are two, separated by a space, the new one first. */
                "webhook-signature": components["parameters"]["webhook-signature"];
                /** @description The same in every request. */
                "User-Agent": components["parameters"]["User-Agent"];
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
                     * @description The delivery's id: the same in every attempt.
                     */
                    id: string;
                    /** @constant */
                    type: "content.entry.published";
                    /**
                     * Format: uuid
                     * @description The tenant of the event.
                     */
                    tenant_id: string;
                    data: {
                        entry: components["schemas"]["Entry"];
                        /**
                         * @description Only in an example event, which `sendTestDelivery` sends.
                         * @constant
                         */
                        test?: true;
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
            /** @description Received: the delivery is complete. The response's body does not matter. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description A failed attempt, and so is no complete response within 10 s. It is repeated after about 1, 5, 15 and 30 minutes and 1, 2 and 4 hours; the eighth attempt is the last. Redirects are not followed. */
            default: {
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
                /** @description The event's type, as in the body. */
                "X-service-Event": components["parameters"]["X-service-Event"];
                /** @description The delivery's id, as in the body: the same in every attempt. Deduplicate by it. */
                "X-service-Delivery": components["parameters"]["X-service-Delivery"];
                /** @description The number of the attempt, from 1; from 1 again after a redelivery. */
                "X-service-Attempt": components["parameters"]["X-service-Attempt"];
                /** @description The event's id, the same in the deliveries of all subscriptions. */
                "X-service-Event-Id": components["parameters"]["X-service-Event-Id"];
                /** @description When the event was committed. */
                "X-service-Event-Time": components["parameters"]["X-service-Event-Time"];
                /** @description `sha256=` and the HMAC-SHA256 of the body's bytes in hex. The key is the whole secret as it is written, `whsec_` included. */
                "X-service-Signature": components["parameters"]["X-service-Signature"];
                /** @description The same with the previous secret, while a rotation overlaps. */
                "X-service-Signature-Previous"?: components["parameters"]["X-service-Signature-Previous"];
                /** @description The delivery's id, as [Standard Webhooks](https://www.standardwebhooks.com) defines it. */
                "webhook-id": components["parameters"]["webhook-id"];
                /** @description The time of the attempt in seconds since 1970. */
                "webhook-timestamp": components["parameters"]["webhook-timestamp"];
                /** @description `v1,` and the HMAC-SHA256 of `webhook-id`, `.`, `webhook-timestamp`, `.` and the body in base64. The key is the bytes that the base64 after `whsec_` encodes. While a rotation overlaps there are two, separated by a space, the new one first. */
                "webhook-signature": components["parameters"]["webhook-signature"];
                /** @description The same in every request. */
                "User-Agent": components["parameters"]["User-Agent"];
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
                     * @description The delivery's id: the same in every attempt.
                     */
                    id: string;
                    /** @constant */
                    type: "content.entry.scheduled";
                    /**
                     * Format: uuid
                     * @description The tenant of the event.
                     */
                    tenant_id: string;
                    data: {
                        entry: components["schemas"]["Entry"];
                        /**
                         * @description Only in an example event, which `sendTestDelivery` sends.
                         * @constant
                         */
                        test?: true;
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
            /** @description Received: the delivery is complete. The response's body does not matter. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description A failed attempt, and so is no complete response within 10 s. It is repeated after about 1, 5, 15 and 30 minutes and 1, 2 and 4 hours; the eighth attempt is the last. Redirects are not followed. */
            default: {
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
                /** @description The event's type, as in the body. */
                "X-service-Event": components["parameters"]["X-service-Event"];
                /** @description The delivery's id, as in the body: the same in every attempt. Deduplicate by it. */
                "X-service-Delivery": components["parameters"]["X-service-Delivery"];
                /** @description The number of the attempt, from 1; from 1 again after a redelivery. */
                "X-service-Attempt": components["parameters"]["X-service-Attempt"];
                /** @description The event's id, the same in the deliveries of all subscriptions. */
                "X-service-Event-Id": components["parameters"]["X-service-Event-Id"];
                /** @description When the event was committed. */
                "X-service-Event-Time": components["parameters"]["X-service-Event-Time"];
                /** @description `sha256=` and the HMAC-SHA256 of the body's bytes in hex. The key is the whole secret as it is written, `whsec_` included. */
                "X-service-Signature": components["parameters"]["X-service-Signature"];
                /** @description The same with the previous secret, while a rotation overlaps. */
                "X-service-Signature-Previous"?: components["parameters"]["X-service-Signature-Previous"];
                /** @description The delivery's id, as [Standard Webhooks](https://www.standardwebhooks.com) defines it. */
                "webhook-id": components["parameters"]["webhook-id"];
                /** @description The time of the attempt in seconds since 1970. */
                "webhook-timestamp": components["parameters"]["webhook-timestamp"];
                /** @description `v1,` and the HMAC-SHA256 of `webhook-id`, `.`, `webhook-timestamp`, `.` and the body in base64. The key is the bytes that the base64 after `whsec_` encodes. While a rotation overlaps there are two, separated by a space, the new one first. */
                "webhook-signature": components["parameters"]["webhook-signature"];
                /** @description The same in every request. */
                "User-Agent": components["parameters"]["User-Agent"];
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
                     * @description The delivery's id: the same in every attempt.
                     */
                    id: string;
                    /** @constant */
                    type: "content.entry.unpublished";
                    /**
                     * Format: uuid
                     * @description The tenant of the event.
                     */
                    tenant_id: string;
                    data: {
                        entry: components["schemas"]["Entry"];
                        /**
                         * @description Only in an example event, which `sendTestDelivery` sends.
                         * @constant
                         */
                        test?: true;
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
            /** @description Received: the delivery is complete. The response's body does not matter. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description A failed attempt, and so is no complete response within 10 s. It is repeated after about 1, 5, 15 and 30 minutes and 1, 2 and 4 hours; the eighth attempt is the last. Redirects are not followed. */
            default: {
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
                /** @description The event's type, as in the body. */
                "X-service-Event": components["parameters"]["X-service-Event"];
                /** @description The delivery's id, as in the body: the same in every attempt. Deduplicate by it. */
                "X-service-Delivery": components["parameters"]["X-service-Delivery"];
                /** @description The number of the attempt, from 1; from 1 again after a redelivery. */
                "X-service-Attempt": components["parameters"]["X-service-Attempt"];
                /** @description The event's id, the same in the deliveries of all subscriptions. */
                "X-service-Event-Id": components["parameters"]["X-service-Event-Id"];
                /** @description When the event was committed. */
                "X-service-Event-Time": components["parameters"]["X-service-Event-Time"];
                /** @description `sha256=` and the HMAC-SHA256 of the body's bytes in hex. The key is the whole secret as it is written, `whsec_` included. */
                "X-service-Signature": components["parameters"]["X-service-Signature"];
                /** @description The same with the previous secret, while a rotation overlaps. */
                "X-service-Signature-Previous"?: components["parameters"]["X-service-Signature-Previous"];
                /** @description The delivery's id, as [Standard Webhooks](https://www.standardwebhooks.com) defines it. */
                "webhook-id": components["parameters"]["webhook-id"];
                /** @description The time of the attempt in seconds since 1970. */
                "webhook-timestamp": components["parameters"]["webhook-timestamp"];
                /** @description `v1,` and the HMAC-SHA256 of `webhook-id`, `.`, `webhook-timestamp`, `.` and the body in base64. The key is the bytes that the base64 after `whsec_` encodes. While a rotation overlaps there are two, separated by a space, the new one first. */
                "webhook-signature": components["parameters"]["webhook-signature"];
                /** @description The same in every request. */
                "User-Agent": components["parameters"]["User-Agent"];
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
                     * @description The delivery's id: the same in every attempt.
                     */
                    id: string;
                    /** @constant */
                    type: "content.entry.deleted";
                    /**
                     * Format: uuid
                     * @description The tenant of the event.
                     */
                    tenant_id: string;
                    data: {
                        entry: components["schemas"]["Entry"];
                        /**
                         * @description Only in an example event, which `sendTestDelivery` sends.
                         * @constant
                         */
                        test?: true;
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
            /** @description Received: the delivery is complete. The response's body does not matter. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description A failed attempt, and so is no complete response within 10 s. It is repeated after about 1, 5, 15 and 30 minutes and 1, 2 and 4 hours; the eighth attempt is the last. Redirects are not followed. */
            default: {
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
                /** @description The event's type, as in the body. */
                "X-service-Event": components["parameters"]["X-service-Event"];
                /** @description The delivery's id, as in the body: the same in every attempt. Deduplicate by it. */
                "X-service-Delivery": components["parameters"]["X-service-Delivery"];
                /** @description The number of the attempt, from 1; from 1 again after a redelivery. */
                "X-service-Attempt": components["parameters"]["X-service-Attempt"];
                /** @description The event's id, the same in the deliveries of all subscriptions. */
                "X-service-Event-Id": components["parameters"]["X-service-Event-Id"];
                /** @description When the event was committed. */
                "X-service-Event-Time": components["parameters"]["X-service-Event-Time"];
                /** @description `sha256=` and the HMAC-SHA256 of the body's bytes in hex. The key is the whole secret as it is written, `whsec_` included. */
                "X-service-Signature": components["parameters"]["X-service-Signature"];
                /** @description The same with the previous secret, while a rotation overlaps. */
                "X-service-Signature-Previous"?: components["parameters"]["X-service-Signature-Previous"];
                /** @description The delivery's id, as [Standard Webhooks](https://www.standardwebhooks.com) defines it. */
                "webhook-id": components["parameters"]["webhook-id"];
                /** @description The time of the attempt in seconds since 1970. */
                "webhook-timestamp": components["parameters"]["webhook-timestamp"];
                /** @description `v1,` and the HMAC-SHA256 of `webhook-id`, `.`, `webhook-timestamp`, `.` and the body in base64. The key is the bytes that the base64 after `whsec_` encodes. While a rotation overlaps there are two, separated by a space, the new one first. */
                "webhook-signature": components["parameters"]["webhook-signature"];
                /** @description The same in every request. */
                "User-Agent": components["parameters"]["User-Agent"];
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
                     * @description The delivery's id: the same in every attempt.
                     */
                    id: string;
                    /** @constant */
                    type: "media.uploaded";
                    /**
                     * Format: uuid
                     * @description The tenant of the event.
                     */
                    tenant_id: string;
                    data: {
                        media: components["schemas"]["Media"];
                        /**
                         * @description Only in an example event, which `sendTestDelivery` sends.
                         * @constant
                         */
                        test?: true;
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
            /** @description Received: the delivery is complete. The response's body does not matter. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description A failed attempt, and so is no complete response within 10 s. It is repeated after about 1, 5, 15 and 30 minutes and 1, 2 and 4 hours; the eighth attempt is the last. Redirects are not followed. */
            default: {
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
                /** @description The event's type, as in the body. */
                "X-service-Event": components["parameters"]["X-service-Event"];
                /** @description The delivery's id, as in the body: the same in every attempt. Deduplicate by it. */
                "X-service-Delivery": components["parameters"]["X-service-Delivery"];
                /** @description The number of the attempt, from 1; from 1 again after a redelivery. */
                "X-service-Attempt": components["parameters"]["X-service-Attempt"];
                /** @description The event's id, the same in the deliveries of all subscriptions. */
                "X-service-Event-Id": components["parameters"]["X-service-Event-Id"];
                /** @description When the event was committed. */
                "X-service-Event-Time": components["parameters"]["X-service-Event-Time"];
                /** @description `sha256=` and the HMAC-SHA256 of the body's bytes in hex. The key is the whole secret as it is written, `whsec_` included. */
                "X-service-Signature": components["parameters"]["X-service-Signature"];
                /** @description The same with the previous secret, while a rotation overlaps. */
                "X-service-Signature-Previous"?: components["parameters"]["X-service-Signature-Previous"];
                /** @description The delivery's id, as [Standard Webhooks](https://www.standardwebhooks.com) defines it. */
                "webhook-id": components["parameters"]["webhook-id"];
                /** @description The time of the attempt in seconds since 1970. */
                "webhook-timestamp": components["parameters"]["webhook-timestamp"];
                /** @description `v1,` and the HMAC-SHA256 of `webhook-id`, `.`, `webhook-timestamp`, `.` and the body in base64. The key is the bytes that the base64 after `whsec_` encodes. While a rotation overlaps there are two, separated by a space, the new one first. */
                "webhook-signature": components["parameters"]["webhook-signature"];
                /** @description The same in every request. */
                "User-Agent": components["parameters"]["User-Agent"];
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
                     * @description The delivery's id: the same in every attempt.
                     */
                    id: string;
                    /** @constant */
                    type: "media.processed";
                    /**
                     * Format: uuid
                     * @description The tenant of the event.
                     */
                    tenant_id: string;
                    data: {
                        media: components["schemas"]["Media"];
                        /**
                         * @description Only in an example event, which `sendTestDelivery` sends.
                         * @constant
                         */
                        test?: true;
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
            /** @description Received: the delivery is complete. The response's body does not matter. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description A failed attempt, and so is no complete response within 10 s. It is repeated after about 1, 5, 15 and 30 minutes and 1, 2 and 4 hours; the eighth attempt is the last. Redirects are not followed. */
            default: {
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
                /** @description The event's type, as in the body. */
                "X-service-Event": components["parameters"]["X-service-Event"];
                /** @description The delivery's id, as in the body: the same in every attempt. Deduplicate by it. */
                "X-service-Delivery": components["parameters"]["X-service-Delivery"];
                /** @description The number of the attempt, from 1; from 1 again after a redelivery. */
                "X-service-Attempt": components["parameters"]["X-service-Attempt"];
                /** @description The event's id, the same in the deliveries of all subscriptions. */
                "X-service-Event-Id": components["parameters"]["X-service-Event-Id"];
                /** @description When the event was committed. */
                "X-service-Event-Time": components["parameters"]["X-service-Event-Time"];
                /** @description `sha256=` and the HMAC-SHA256 of the body's bytes in hex. The key is the whole secret as it is written, `whsec_` included. */
                "X-service-Signature": components["parameters"]["X-service-Signature"];
                /** @description The same with the previous secret, while a rotation overlaps. */
                "X-service-Signature-Previous"?: components["parameters"]["X-service-Signature-Previous"];
                /** @description The delivery's id, as [Standard Webhooks](https://www.standardwebhooks.com) defines it. */
                "webhook-id": components["parameters"]["webhook-id"];
                /** @description The time of the attempt in seconds since 1970. */
                "webhook-timestamp": components["parameters"]["webhook-timestamp"];
                /** @description `v1,` and the HMAC-SHA256 of `webhook-id`, `.`, `webhook-timestamp`, `.` and the body in base64. The key is the bytes that the base64 after `whsec_` encodes. While a rotation overlaps there are two, separated by a space, the new one first. */
                "webhook-signature": components["parameters"]["webhook-signature"];
                /** @description The same in every request. */
                "User-Agent": components["parameters"]["User-Agent"];
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
                 *           "createdAt": "2026-08-20T09:30:00.000Z",
                 *           "version": 1
                 *         }
                 *       },
                 *       "delivered_at": "2026-08-20T09:30:00.500Z"
                 *     }
                 */
                "application/json": {
                    /**
                     * Format: uuid
                     * @description The delivery's id: the same in every attempt.
                     */
                    id: string;
                    /** @constant */
                    type: "redirect.added";
                    /**
                     * Format: uuid
                     * @description The tenant of the event.
                     */
                    tenant_id: string;
                    data: {
                        redirect: components["schemas"]["RedirectInEvents"];
                        /**
                         * @description Only in an example event, which `sendTestDelivery` sends.
                         * @constant
                         */
                        test?: true;
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
            /** @description Received: the delivery is complete. The response's body does not matter. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description A failed attempt, and so is no complete response within 10 s. It is repeated after about 1, 5, 15 and 30 minutes and 1, 2 and 4 hours; the eighth attempt is the last. Redirects are not followed. */
            default: {
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
                /** @description The event's type, as in the body. */
                "X-service-Event": components["parameters"]["X-service-Event"];
                /** @description The delivery's id, as in the body: the same in every attempt. Deduplicate by it. */
                "X-service-Delivery": components["parameters"]["X-service-Delivery"];
                /** @description The number of the attempt, from 1; from 1 again after a redelivery. */
                "X-service-Attempt": components["parameters"]["X-service-Attempt"];
                /** @description The event's id, the same in the deliveries of all subscriptions. */
                "X-service-Event-Id": components["parameters"]["X-service-Event-Id"];
                /** @description When the event was committed. */
                "X-service-Event-Time": components["parameters"]["X-service-Event-Time"];
                /** @description `sha256=` and the HMAC-SHA256 of the body's bytes in hex. The key is the whole secret as it is written, `whsec_` included. */
                "X-service-Signature": components["parameters"]["X-service-Signature"];
                /** @description The same with the previous secret, while a rotation overlaps. */
                "X-service-Signature-Previous"?: components["parameters"]["X-service-Signature-Previous"];
                /** @description The delivery's id, as [Standard Webhooks](https://www.standardwebhooks.com) defines it. */
                "webhook-id": components["parameters"]["webhook-id"];
                /** @description The time of the attempt in seconds since 1970. */
                "webhook-timestamp": components["parameters"]["webhook-timestamp"];
                /** @description `v1,` and the HMAC-SHA256 of `webhook-id`, `.`, `webhook-timestamp`, `.` and the body in base64. The key is the bytes that the base64 after `whsec_` encodes. While a rotation overlaps there are two, separated by a space, the new one first. */
                "webhook-signature": components["parameters"]["webhook-signature"];
                /** @description The same in every request. */
                "User-Agent": components["parameters"]["User-Agent"];
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
                 *           "createdAt": "2026-08-20T09:30:00.000Z",
                 *           "version": 2
                 *         }
                 *       },
                 *       "delivered_at": "2026-08-20T09:30:00.500Z"
                 *     }
                 */
                "application/json": {
                    /**
                     * Format: uuid
                     * @description The delivery's id: the same in every attempt.
                     */
                    id: string;
                    /** @constant */
                    type: "redirect.removed";
                    /**
                     * Format: uuid
                     * @description The tenant of the event.
                     */
                    tenant_id: string;
                    data: {
                        redirect: components["schemas"]["RedirectInEvents"];
                        /**
                         * @description Only in an example event, which `sendTestDelivery` sends.
                         * @constant
                         */
                        test?: true;
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
            /** @description Received: the delivery is complete. The response's body does not matter. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description A failed attempt, and so is no complete response within 10 s. It is repeated after about 1, 5, 15 and 30 minutes and 1, 2 and 4 hours; the eighth attempt is the last. Redirects are not followed. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
}
