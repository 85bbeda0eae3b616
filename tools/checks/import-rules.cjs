// Defines which file may import which. Imports point down only: tests → tools → services → packages, and in a service main →
// service → wings → tables. `npm run check` applies these rules.
const { existsSync, globSync, readdirSync, readFileSync } = require("node:fs");

const SOURCES = ["{packages,services,tools}/*/{src,test}/**/*.ts", "tests/**/*.ts"];
/** The folders of the dashboard's source, from the top down. */
const DASHBOARD_ROOMS = ["shell", "screens", "ui", "data", "session", "api", "format"];
const TESTS = "(\\.test\\.ts$|/test/)";

const DOES_IO = [
  "^(node:)?(fs|net|tls|dgram|dns|http|https|http2|child_process|cluster|worker_threads|timers)(/|$)",
  "/node_modules/(pg|kysely|amqplib|undici|express)/",
  "-store\\.ts$",
];

/** A file whose opening comment ends with "Pure." makes decisions and does no I/O, so that testing it needs no server. */
const PURE = ["^packages/event-catalog/src/(?!.*\\.test\\.)"].concat(
  globSync(SOURCES, { exclude: ["**/node_modules"] })
    .filter((file) => isPure(readFileSync(file, "utf8")))
    .map((file) => `^${file.replaceAll(".", "\\.")}$`),
);

function isPure(text) {
  return /^(\/\/.*\n)*\/\/.*\bPure( \(.*\))?\.\n/.test(text);
}

const forbid = (name, comment, from, to) => ({ name, comment, severity: "error", from, to });

/** The folders of a service's source. The dashboard has rooms instead. */
const WINGS = foldersOf("services")
  .filter((service) => service !== "dashboard")
  .flatMap((service) => foldersOf(`services/${service}/src`).map((wing) => ({ service, wing })));

function foldersOf(folder) {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name);
}

module.exports = {
  forbidden: [
    forbid("no-circles", "Two files do not import each other.", {}, { circular: true }),
    {
      ...forbid("no-folder-circles", "Two folders do not import from each other.", {}, { circular: true }),
      scope: "folder",
    },
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
      "Services communicate over HTTP and the broker only.",
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
      "Production code does not use the testing package.",
      { path: "^(packages|services)/", pathNot: [TESTS, "^packages/testing/"] },
      { path: "^packages/testing/" },
    ),
    forbid(
      "main-is-the-top",
      "main.ts and migrate.ts are programs; nothing imports them.",
      {},
      { path: "^services/[^/]+/src/(main|migrate)\\.ts$" },
    ),
    forbid(
      "service-above-stages",
      "service.ts wires its service; the rest of the service does not import it.",
      { path: "^services/[^/]+/src/[^/]+/", pathNot: TESTS },
      { path: "^services/[^/]+/src/service\\.ts$" },
    ),
    ...WINGS.map(({ service, wing }) =>
      forbid(
        `${service}-${wing}-by-its-door`,
        "A folder of a service's source is a wing. What the others use of it stands in its door, <wing>/<wing>.ts.",
        { path: `^services/${service}/src/`, pathNot: [TESTS, `^services/${service}/src/${wing}/`] },
        {
          path: `^services/${service}/src/${wing}/`,
          pathNot: `^services/${service}/src/${wing}/${wing}\\.ts$`,
        },
      ),
    ),
    ...DASHBOARD_ROOMS.map((room, index) =>
      forbid(
        `dashboard-${room}-imports-down`,
        `In the dashboard imports go down: ${DASHBOARD_ROOMS.join(" → ")}.`,
        { path: `^services/dashboard/src/${room}/` },
        {
          path: `^services/dashboard/src/(main|app|router)\\.tsx$|^services/dashboard/src/(${DASHBOARD_ROOMS.slice(0, index).concat("none").join("|")})/`,
        },
      ),
    ),
    forbid(
      "dashboard-areas-by-their-doors",
      "An area of the dashboard uses of another only what its door exports, screens/<area>/door.ts or door.tsx.",
      { path: "^services/dashboard/src/screens/([^/]+)/" },
      {
        path: "^services/dashboard/src/screens/",
        pathNot: [
          "^services/dashboard/src/screens/$1/",
          "^services/dashboard/src/screens/[^/]+/door\\.tsx?$",
        ],
      },
    ),
    forbid(
      "tables-at-the-bottom",
      "The types of the tables import only pure files, which define the columns' values.",
      { path: "^services/[^/]+/src/tables\\.ts$" },
      { path: "^services/", pathNot: PURE },
    ),
    forbid(
      "pure-files-decide",
      "A pure file does no I/O.",
      { path: PURE },
      { path: DOES_IO, dependencyTypesNot: ["type-only"] },
    ),
  ],
  options: {
    doNotFollow: { path: "node_modules" },
    exclude: { path: "(^|/)dist/" },
    // Type-only imports count too.
    tsPreCompilationDeps: true,
    enhancedResolveOptions: {
      exportsFields: ["exports"],
      conditionNames: ["source", "import", "require", "node", "default", "types"],
    },
    tsConfig: { fileName: "tsconfig.json" },
  },
};
