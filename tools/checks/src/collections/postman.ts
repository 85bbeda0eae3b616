// Builds the collection for Postman in its format 2.1. Pure.
import { type CollectionRequest, type Folder, type Parameter, SETTINGS } from "./requests.ts";

const BEFORE_EACH = [
  "const day = (offset) => new Date(Date.now() + offset * 86400000).toISOString();",
  'pm.variables.set("yesterday", day(-1));',
  'pm.variables.set("tomorrow", day(1));',
];

/** Returns the collection as an object, to be written as JSON. */
export function postmanCollection(folders: readonly Folder[], description: string): object {
  return {
    info: {
      name: "Tradepost",
      description,
      schema: "https://schema.getpostman.com/json/collection/v2.1.0/collection.json",
    },
    auth: { type: "bearer", bearer: [{ key: "token", value: "{{token}}", type: "string" }] },
    event: [{ listen: "prerequest", script: { type: "text/javascript", exec: BEFORE_EACH } }],
    variable: Object.entries(SETTINGS).map(([key, value]) => ({ key, value })),
    item: folders.map(({ name, description, requests }) => ({
      name,
      description,
      item: requests.map(itemOf),
    })),
  };
}

function itemOf({ name, stores, ...request }: CollectionRequest): object {
  return {
    name,
    ...(stores === null ? {} : { event: [storing(stores)] }),
    request: {
      method: request.method,
      description: request.description,
      ...(request.isPublic ? { auth: { type: "noauth" } } : {}),
      header: request.headers.map(parameterOf),
      url: {
        raw: `{{baseUrl}}${request.path}`,
        host: ["{{baseUrl}}"],
        path: request.path.slice(1).split("/"),
        query: request.query.map(parameterOf),
      },
      ...bodyOf(request.body),
    },
  };
}

function storing({ variable, value }: NonNullable<CollectionRequest["stores"]>): object {
  const exec = [
    "const body = pm.response.code < 300 ? pm.response.json() : { data: {} };",
    `if (${value}) pm.collectionVariables.set("${variable}", ${value});`,
  ];
  return { listen: "test", script: { type: "text/javascript", exec } };
}

function parameterOf({ name, value, description, isOn }: Parameter): object {
  return { key: name, value, description, ...(isOn ? {} : { disabled: true }) };
}

function bodyOf(body: CollectionRequest["body"]): object {
  if (body === "none") return {};
  if (body === "file")
    return { body: { mode: "formdata", formdata: [{ key: "file", type: "file", src: [] }] } };
  return { body: { mode: "raw", raw: body.json, options: { raw: { language: "json" } } } };
}
