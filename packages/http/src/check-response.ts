// Compares every response with docs/openapi.json while tests run (interface §11). The production build has
// `no-check-response.ts` instead: only development sets the condition `source` of this package's `imports`.
import { appendFileSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { writeJson } from "@tradepost/json";
import { readSettings } from "@tradepost/runtime";
import type { ValidateFunction } from "ajv";
import { z } from "zod";
import type { ApiResponse } from "./api-response.ts";
import { isUuid } from "./fields.ts";
import type { Route } from "./route.ts";

const { TRADEPOST_RESPONSES_FILE: file } = readSettings(
  z.object({ TRADEPOST_RESPONSES_FILE: z.string().optional() }),
);

type Validators = (row: Route, status: number) => ValidateFunction | undefined | "undocumented";

let validators: Validators | undefined;
const logged = new Set<string>();

/**
 * Appends each operation, status and fault to the file TRADEPOST_RESPONSES_FILE; does nothing without that variable.
 * @throws an Error if the API description does not have the status or the body.
 */
export function checkResponse(row: Route, response: ApiResponse): void {
  if (file === undefined || row.about === null) return;
  validators ??= readDocument();
  const { status } = response;
  const validate = validators(row, status);
  if (validate === "undocumented") fail(row, status, "the status is not described");
  const body = bodyOf(response);
  if (typeof validate === "function" && body !== undefined && !validate(body)) {
    const [fault] = validate.errors ?? [];
    fail(row, status, `${fault?.instancePath} ${fault?.message} ${JSON.stringify(fault?.params)}`);
  }
  log({ operation: row.about.id, status });
}

function fail(row: Route, status: number, why: string): never {
  const fault = `${row.method} ${row.path}, ${status}: ${why}`;
  log({ fault });
  throw new Error(
    `The response is not as docs/openapi.json describes it (see npm run tool -- docs): ${fault}`,
  );
}

function log(entry: object): void {
  const line = `${JSON.stringify(entry)}\n`;
  if (file === undefined || logged.has(line)) return;
  logged.add(line);
  appendFileSync(file, line);
}

function bodyOf({ headers, body, bytes, stream }: ApiResponse): unknown {
  const isJson = headers?.["content-type"]?.startsWith("application/json") ?? bytes === undefined;
  if (!isJson || stream !== undefined || (body === undefined && bytes === undefined)) return undefined;
  // A 304 repeats the headers of the response that the client has, but has no body.
  if (bytes?.length === 0) return undefined;
  return JSON.parse(bytes === undefined ? writeJson(body) : bytes.toString());
}

/** The formats that interface §1 prescribes for responses. Requests may use other notations. */
const FORMATS = {
  uuid: isUuid,
  "date-time": /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/,
  email: /^\S+@\S+$/,
  binary: true,
} as const;

function readDocument(): Validators {
  const require = createRequire(import.meta.url);
  const { Ajv2020 } = require("ajv/dist/2020.js") as typeof import("ajv/dist/2020.js");
  const document = JSON.parse(
    readFileSync(new URL("../../../docs/openapi.json", import.meta.url), "utf8"),
  ) as Document;
  // Other tests validate the document; here it would take most of the time of a process's first response.
  const ajv = new Ajv2020({ strict: false, formats: FORMATS, meta: false, validateSchema: false });
  ajv.addSchema(closed(document) as object, "document");
  return (row, status) => {
    const path = row.path.replaceAll(/:(\w+)/g, "{$1}");
    const method = row.method.toLowerCase();
    const response = document.paths[path]?.[method]?.responses[status];
    if (response === undefined) return "undocumented";
    const place = `#/paths/${encodeURIComponent(path.replaceAll("/", "~1"))}/${method}/responses/${status}`;
    return ajv.getSchema(`document${response.$ref ?? place}/content/application~1json/schema`);
  };
}

interface Document {
  readonly paths: Readonly<
    Record<
      string,
      Readonly<Record<string, { readonly responses: Readonly<Record<string, { $ref?: string }>> }>>
    >
  >;
}

/** The description leaves objects open, because later versions may add fields. */
function closed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(closed);
  if (typeof value !== "object" || value === null) return value;
  const inner = Object.fromEntries(Object.entries(value).map(([key, one]) => [key, closed(one)]));
  return "properties" in inner ? { additionalProperties: false, ...inner } : inner;
}
