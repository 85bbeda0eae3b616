// The modules that `npm run mutants` changes. tools/checks/test/mutated-modules.test.ts compares them with the files that say that they are
// pure.
/** Modules without I/O, and their tests where these are not in a file of the same name. */
export const MODULES: Readonly<Record<string, readonly string[]>> = {
  "packages/change-feed/src/feed-cursor.ts": [],
  "packages/change-feed/src/is-lost.ts": [],
  "packages/http/src/admission.ts": [],
  "packages/http/src/csv-line.ts": [],
  "packages/json/src/canonical-json.ts": [],
  "packages/json/src/json-depth.ts": [],
  "packages/json/src/merge-patch.ts": [],
  "packages/runtime/src/backoff.ts": [],
  "services/content/src/redirect/plan-redirect-changes.ts": [],
  "services/content/src/redirect/site-path.ts": [],
  "services/gateway/src/assistants/confirmation.ts": [],
  "services/gateway/src/identity/second-factor/recovery-code.ts": [],
  "services/gateway/src/identity/second-factor/totp.ts": [],
  "services/gateway/src/limits/token-bucket.ts": [],
  "services/gateway/src/usage/near-quotas.ts": [],
  "services/orders/src/erasure/erase-texts.ts": [],
  "services/orders/src/erasure/portions.ts": [],
  "services/orders/src/order/lifecycle.ts": [],
  "services/orders/src/order/money.ts": [],
  "services/orders/src/order/price-order.ts": [],
  "services/orders/src/order/tax-summary.ts": ["services/orders/src/order/price-order.test.ts"],
  "services/orders/src/search/search-words.ts": [],
  "services/webhooks/src/delivery/lifecycle.ts": [],
  "services/webhooks/src/event-filter.ts": [],
  "services/webhooks/src/intake/limit-bytes.ts": [],
  "services/webhooks/src/sending/scheduler/lanes.ts": [],
  "services/webhooks/src/sending/scheduler/turns.ts": [
    "services/webhooks/src/sending/scheduler/scheduler.test.ts",
  ],
  "services/webhooks/src/subscriptions/health.ts": [],
  "services/webhooks/src/subscriptions/standing.ts": [],
  "tools/chaos/src/history/lease-model.ts": ["tools/chaos/test/histories.test.ts"],
  "tools/chaos/src/history/linearize.ts": ["tools/chaos/test/histories.test.ts"],
};

/** Pure modules with a test of their own that are left out, and why. */
export const LEFT_OUT: Readonly<Record<string, readonly string[]>> = {
  "Tests through HTTP check most of what they do.": [
    "services/content/src/content-type/fields.ts",
    "services/content/src/media/image/variant.ts",
    "services/gateway/src/assistants/tool-failure.ts",
    "services/gateway/src/entry/upstreams.ts",
  ],
  "Their survivors have neither an assertion nor a reason yet.": [
    "packages/change-feed/src/unannounced.ts",
    "packages/client/src/http/retry.ts",
    "packages/client/src/ledger/received-rows.ts",
    "packages/json/src/exact-json.ts",
    "services/content/src/media/image/image-limits.ts",
    "services/gateway/src/assistants/untrusted-text.ts",
    "services/gateway/src/entry/order-lines.ts",
    "services/gateway/src/identity/passwords/common-password.ts",
    "services/orders/src/statistics/time-buckets.ts",
    "services/webhooks/src/delivery/ids.ts",
    "services/webhooks/src/log/explanation.ts",
    "services/webhooks/src/log/matches.ts",
    "services/webhooks/src/sending/attempt/outcome-of-error.ts",
  ],
};
