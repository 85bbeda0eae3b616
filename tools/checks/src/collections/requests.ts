// Builds the requests of the collections for API clients such as Postman and Bruno from the API description. Pure.
//
// A whole collection can be run from top to bottom. Resources that an example refers to are created first and deleted last. Ids
// are variables, and the request that creates a resource stores its id.

/** A folder of requests: a group of operations. */
export interface Folder {
  readonly name: string;
  readonly description: string;
  readonly requests: readonly CollectionRequest[];
}

/** A request with the values of the description's examples. `{{name}}` is a variable. */
export interface CollectionRequest {
  readonly name: string;
  readonly description: string;
  readonly method: string;
  /** The path after the variable `baseUrl`. */
  readonly path: string;
  readonly query: readonly Parameter[];
  readonly headers: readonly Parameter[];
  readonly body: "none" | "file" | { readonly json: string };
  readonly isPublic: boolean;
  /** The variable that a 2xx response sets, and its value as an expression over the response's `body`. */
  readonly stores: { readonly variable: string; readonly value: string } | null;
}

/** A parameter of a request. Optional parameters are included but disabled. */
export interface Parameter {
  readonly name: string;
  readonly value: string;
  readonly description: string;
  readonly isOn: boolean;
}

/** The variables that a user sets: either `token`, or `email` and `password` for the request "Sign in", which sets `token`. */
export const SETTINGS = { baseUrl: "http://127.0.0.1:8080", token: "", email: "", password: "" };

interface Described {
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly summary: string;
  readonly description: string;
  readonly security?: readonly unknown[];
  readonly parameters?: readonly DescribedParameter[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly example?: unknown }>> };
}

interface DescribedParameter {
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly description: string;
  readonly example?: unknown;
}

interface Description {
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, Described>>>>;
}

// The order of the folders. Resources that others need come first. Logging out may end the session of `token`, so its folder is
// last.
const PLACES: Readonly<Record<string, number>> = { Customers: 0, "Content types": 0, "Sign-in": 2 };

/** Returns the operations under `paths` of the API description, grouped in folders. */
export function foldersOf(description: Readonly<Record<string, unknown>>): Folder[] {
  const { tags, paths } = description as unknown as Description;
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, described]) => ({ method, path, described })),
  );
  return tags
    .map((tag) => ({ ...tag, own: operations.filter(({ described }) => described.tags[0] === tag.name) }))
    .filter(({ own }) => own.length > 0)
    .sort((a, b) => (PLACES[a.name] ?? 1) - (PLACES[b.name] ?? 1))
    .map(({ name, description, own }) => ({
      name,
      description,
      requests: own
        .sort((a, b) => rankOf(a) - rankOf(b))
        .map(({ method, path, described }) => requestOf(method, path, described, paths)),
    }));
}

/** Ranks the requests of a folder: creations come first and deletions last, a schedule's before its entry's. */
function rankOf({ method, path }: { method: string; path: string }): number {
  if (method === "delete") return path.endsWith("/{id}") ? 3 : 2;
  return (method === "post" || method === "put") && !path.includes("{") ? 0 : 1;
}

function requestOf(
  method: string,
  path: string,
  described: Described,
  paths: Description["paths"],
): CollectionRequest {
  const { operationId, summary, description, security, parameters = [], requestBody } = described;
  const listed = (where: string): Parameter[] =>
    parameters
      .filter((parameter) => parameter.in === where)
      .map(({ name, required = false, description, example = "" }) => ({
        name,
        value: String(example),
        description,
        isOn: required,
      }));
  return {
    name: summary,
    description,
    method: method.toUpperCase(),
    path: path.replaceAll(/\{(\w+)\}/g, (_, name: string) => pathValueOf(path, name, parameters)),
    query: listed("query"),
    headers: listed("header"),
    body: bodyOf(operationId, requestBody),
    isPublic: security?.length === 0,
    stores: STORES[operationId] ?? createdBy(method, path, paths),
  };
}

/** Returns a variable for an id, such as `{{orderId}}`, and the example of any other parameter. */
function pathValueOf(path: string, name: string, parameters: readonly DescribedParameter[]): string {
  if (name === "id") return `{{${idOf(path.slice(0, path.indexOf("/{id}")))}}}`;
  if (name.endsWith("Id") && name !== "externalId") return `{{${name}}}`;
  return String(parameters.find((parameter) => parameter.name === name)?.example);
}

/** Returns the variable for ids of the resources under a path: `apiKeyId` for `/v1/api-keys`. */
function idOf(path: string): string {
  const resource = path
    .slice(path.lastIndexOf("/") + 1)
    .replaceAll(/-(.)/g, (_, letter) => letter.toUpperCase());
  return `${resource.replace(/ies$/, "y").replace(/s$/, "")}Id`;
}

// Bruno runs scripts as JavaScript of 2017.
const FIRST_ID = "(body.data[0] || {}).id";

const STORES: Readonly<Record<string, CollectionRequest["stores"]>> = {
  login: { variable: "token", value: "body.data.token" },
  eraseCustomer: { variable: "erasureId", value: "body.data.id" },
  recoverDeliveries: { variable: "recoveryId", value: "body.data.id" },
  startReplay: { variable: "replayId", value: "body.data.id" },
  listDeliveries: { variable: "deliveryId", value: FIRST_ID },
  listNotices: { variable: "noticeId", value: FIRST_ID },
  listWebhookEvents: { variable: "eventId", value: FIRST_ID },
};

/**
 * Returns the variable for the id of a created resource. Lists store no id, because the run would then delete a resource of the
 * shop.
 */
function createdBy(method: string, path: string, paths: Description["paths"]): CollectionRequest["stores"] {
  const isCreation = method === "post" && paths[`${path}/{id}`] !== undefined;
  return isCreation ? { variable: idOf(path), value: "body.data.id" } : null;
}

// Replaces example values that are valid only for another shop, another day, or a request that waits. A field with `undefined` is
// left out, because its example needs an uploaded file.
const VALUES: Readonly<Record<string, unknown>> = {
  customerId: "{{customerId}}",
  picture: undefined,
  publishAt: "{{tomorrow}}",
  since: "{{yesterday}}",
  variant: undefined,
  waitSeconds: 0,
};
const LOGIN = { email: "{{email}}", password: "{{password}}" };

function bodyOf(operationId: string, requestBody: Described["requestBody"]): CollectionRequest["body"] {
  if (requestBody === undefined) return "none";
  const json = requestBody.content["application/json"];
  if (json === undefined) return "file";
  const example = operationId === "login" ? LOGIN : (json.example ?? {});
  return { json: JSON.stringify(example, (key, value) => (key in VALUES ? VALUES[key] : value), 2) };
}
