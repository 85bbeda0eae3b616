// Which file may import which: the shape of the repository, as `npm run check` holds it. Imports run down only:
// tests → tools → services → packages, and inside a service main → service → stages → nouns → tables.
const STAGES = "(http|fan-out|dispatch|forward)";
const TESTS = "(\\.test\\.ts$|/test/)";

/** Files that decide and do nothing else: the business rules, which a test can ask without a server. */
const PURE = [
  "^packages/http/src/permit\\.ts$",
  "^packages/runtime/src/(exact-json|canonical-json|json-depth)\\.ts$",
  "^packages/event-catalog/src/(?!.*\\.test\\.)",
  "^services/gateway/src/(identity/credential|forward/upstreams)\\.ts$",
  "^services/orders/src/(order/(price-order|money|order-input|order-resource|action-input|import-input|lifecycle)|customer/customer-input)\\.ts$",
  "^services/content/src/(cause|image/(image-limits|variant-size)|media/(media|filename|file-answer)|redirect/(redirect|redirect-input|redirect-moves)|content-type/(content-type|content-type-input)|entry/(entry|entry-data|entry-input|judge-draft))\\.ts$",
  "^services/webhooks/src/delivery/(delivery|explanation|retry-schedule|signature)\\.ts$",
  "^services/webhooks/src/(subscription/health|endpoint/window)\\.ts$",
  "^services/webhooks/src/dispatch/outcome\\.ts$",
  "^tools/ops/src/reconcile\\.ts$",
];
const DOES_IO = [
  "^(node:)?(fs|net|tls|dgram|dns|http|https|http2|child_process|cluster|worker_threads|timers)(/|$)",
  "/node_modules/(pg|kysely|amqplib|undici|got|express)/",
  "-store\\.ts$",
];

const forbid = (name, comment, from, to) => ({ name, comment, severity: "error", from, to });

module.exports = {
  forbidden: [
    forbid("no-circles", "Two files that need each other are one idea, or three.", {}, { circular: true }),
    forbid(
      "found",
      "An import that cannot be resolved escapes every other rule.",
      {},
      { couldNotResolve: true },
    ),
    forbid(
      "workspaces-by-name",
      "A workspace imports another by its name, through its `exports`, and declares it in its manifest.",
      { path: "^((?:packages|services|tools)/[^/]+|tests)/" },
      { dependencyTypes: ["local"], pathNot: "^$1/" },
    ),
    forbid(
      "packages-are-leaves",
      "A package imports no service, tool or test across services.",
      { path: "^packages/" },
      { path: "^(services|tools|tests)/" },
    ),
    forbid(
      "services-never-meet",
      "Services meet over HTTP and the broker only, by the contract.",
      { path: "^services/([^/]+)/" },
      { path: "^services/", pathNot: "^services/$1/" },
    ),
    forbid(
      "services-below-tools",
      "A service runs without the tools, wherever it is deployed.",
      { path: "^services/" },
      { path: "^(tools|tests)/" },
    ),
    forbid(
      "testing-in-tests-only",
      "What only tests need never ships.",
      { path: "^(packages|services)/", pathNot: [TESTS, "^packages/testing/"] },
      { path: "^packages/testing/" },
    ),
    forbid(
      "main-is-the-top",
      "main.ts and migrate.ts are run, not imported.",
      {},
      { path: "^services/[^/]+/src/(main|migrate)\\.ts$" },
    ),
    forbid(
      "service-above-stages",
      "service.ts wires the rest of its service, which knows nothing of it.",
      { path: "^services/[^/]+/src/[^/]+/", pathNot: TESTS },
      { path: "^services/[^/]+/src/service\\.ts$" },
    ),
    forbid(
      "stages-above-nouns",
      "A noun of the business does not know by which way it was reached.",
      { path: "^services/[^/]+/src/[^/]+/", pathNot: [TESTS, `^services/[^/]+/src/${STAGES}/`] },
      { path: `^services/[^/]+/src/${STAGES}/` },
    ),
    forbid(
      "tables-at-the-bottom",
      "The tables' types stand below everything that reads or writes them; the pure files name their values.",
      { path: "^services/[^/]+/src/tables\\.ts$" },
      { path: "^services/", pathNot: PURE },
    ),
    forbid(
      "pure-files-decide",
      "Decisions take state and give state; no I/O.",
      { path: PURE },
      { path: DOES_IO },
    ),
  ],
  options: {
    doNotFollow: { path: "node_modules" },
    exclude: { path: "(^|/)dist/" },
    // Imports of types count too: they tie files to one another as others do.
    tsPreCompilationDeps: true,
    enhancedResolveOptions: {
      exportsFields: ["exports"],
      conditionNames: ["source", "import", "require", "node", "default", "types"],
    },
    tsConfig: { fileName: "tsconfig.json" },
  },
};
