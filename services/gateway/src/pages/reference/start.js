// Starts Swagger UI. The page has an origin of its own: it cannot store anything, and sends no cookies.
followTheme(matchMedia("(prefers-color-scheme: dark)"));
void start();

/** Swagger UI has a class for its dark colours. */
function followTheme(dark) {
  const apply = () => document.documentElement.classList.toggle("dark-mode", dark.matches);
  dark.addEventListener("change", apply);
  apply();
}

async function start() {
  const description = await (await fetch("/v1/openapi.json")).json();
  // Uses the origin that the browser uses, even behind a proxy unknown to the gateway, because the page may reach no other.
  description.servers = [{ url: location.origin }];
  description.info.description = folded(description.info.description);
  // Swagger UI would fill every filter of a list with its example, and the list would be empty.
  for (const { parameters = [] } of Object.values(description.paths).flatMap(Object.values))
    for (const parameter of parameters) if (!parameter.required) delete parameter.example;
  window.SwaggerUIBundle({
    spec: description,
    dom_id: "#reference",
    deepLinking: true,
    filter: true,
    displayRequestDuration: true,
    defaultModelsExpandDepth: 0,
    // The page's address must not be able to name another description.
    queryConfigEnabled: false,
    validatorUrl: null,
    persistAuthorization: false,
    plugins: [itemsByFormat, resolvesQuickly],
  });
}

/** Folds all but the first paragraph, so that the first screen has operations. */
function folded(text) {
  const [first, ...others] = text.split("\n\n");
  const summary = "<summary>Responses, lists, repeated requests, changes and headers</summary>";
  return [first, `<details>${summary}`, ...others, "</details>"].join("\n\n");
}

/** Swagger UI looks for a special input for lists of ids, and reports on the console that there is none. */
function itemsByFormat({ React, getComponent }) {
  const text = (props) => React.createElement(getComponent("JsonSchema_string"), props);
  return { components: { JsonSchema_string_uuid: text } };
}

/** Swagger UI itself would read the whole description again for each operation that is opened, which takes seconds. */
function resolvesQuickly() {
  return { fn: { resolveSubtree } };
}

/** Resolves the references of the part at `path`, which all lead to other parts. */
async function resolveSubtree(description, path) {
  const partAt = (keys) => keys.reduce((parent, key) => parent?.[key], description);
  const resolve = (node, outer = []) => {
    if (Array.isArray(node)) return node.map((item) => resolve(item, outer));
    if (typeof node !== "object" || node === null) return node;
    const { $ref: reference, ...own } = node;
    const resolved = Object.fromEntries(
      Object.entries(own).map(([key, value]) => [key, resolve(value, outer)]),
    );
    if (reference === undefined) return resolved;
    // A schema that contains itself is not resolved within itself.
    if (outer.includes(reference)) return node;
    return { ...resolve(partAt(reference.split("/").slice(1)), [...outer, reference]), ...resolved };
  };
  return { spec: resolve(partAt(path)), errors: [] };
}
