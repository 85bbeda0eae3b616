// Builds the collection for Bruno in its export format. Pure.
import { type CollectionRequest, type Folder, type Parameter, SETTINGS } from "./requests.ts";

const BEFORE_EACH = `const day = (offset) => new Date(Date.now() + offset * 86400000).toISOString();
bru.setVar("yesterday", day(-1));
bru.setVar("tomorrow", day(1));`;

/** Returns the collection as an object, to be written as JSON. */
export function brunoCollection(folders: readonly Folder[], description: string): object {
  return {
    name: "Tradepost",
    version: "1",
    items: folders.map(({ name, description, requests }, index) => ({
      type: "folder",
      name,
      seq: index + 1,
      root: { meta: { name, seq: index + 1 }, docs: description },
      items: requests.map(itemOf),
    })),
    root: {
      docs: description,
      request: {
        auth: { mode: "bearer", bearer: { token: "{{token}}" } },
        script: { req: BEFORE_EACH },
        vars: {
          req: Object.entries(SETTINGS).map(([name, value]) => ({ name, value, enabled: true })),
        },
      },
    },
    brunoConfig: { version: "1", name: "Tradepost", type: "collection" },
  };
}

function itemOf({ name, stores, ...request }: CollectionRequest, index: number): object {
  return {
    type: "http",
    name,
    seq: index + 1,
    request: {
      url: urlOf(request),
      method: request.method,
      headers: request.headers.map(parameterOf),
      params: request.query.map((parameter) => ({ ...parameterOf(parameter), type: "query" })),
      auth: { mode: request.isPublic ? "none" : "inherit" },
      ...bodyOf(request.body),
      ...(stores === null ? {} : { script: { res: storing(stores) } }),
      docs: request.description,
    },
  };
}

/** Returns the URL. Bruno repeats the enabled query parameters in it. */
function urlOf({ path, query }: Pick<CollectionRequest, "path" | "query">): string {
  const on = query.filter(({ isOn }) => isOn).map(({ name, value }) => `${name}=${value}`);
  return `{{baseUrl}}${path}${on.length === 0 ? "" : `?${on.join("&")}`}`;
}

function storing({ variable, value }: NonNullable<CollectionRequest["stores"]>): string {
  return `const body = res.status < 300 ? res.body : { data: {} };
if (${value}) bru.setVar("${variable}", ${value});`;
}

function parameterOf({ name, value, description, isOn }: Parameter): object {
  return { name, value, description, enabled: isOn };
}

function bodyOf(body: CollectionRequest["body"]): object {
  if (body === "none") return { body: { mode: "none" } };
  if (body === "file") {
    return {
      body: {
        mode: "multipartForm",
        multipartForm: [{ type: "file", name: "file", value: [], enabled: true }],
      },
    };
  }
  return { body: { mode: "json", json: body.json } };
}
