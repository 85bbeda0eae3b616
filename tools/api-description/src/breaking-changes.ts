// Finds the changes of the API description that break clients (interface §11). Pure.
import { type Misfit, misfits, type Place, type Schema } from "./misfits.ts";

interface Media {
  readonly schema?: Schema;
}
interface Body {
  readonly $ref?: string;
  readonly headers?: Readonly<Record<string, unknown>>;
  readonly required?: boolean;
  readonly content?: Readonly<Record<string, Media>>;
}
interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly style?: string;
  readonly explode?: boolean;
  readonly schema?: Schema;
}
interface Reference {
  readonly $ref: string;
}
/** Any one entry suffices; its schemes are required together. No entries, or an empty entry, means no credential is needed. */
type Security = readonly Readonly<Record<string, readonly string[]>>[];
interface Operation {
  readonly operationId: string;
  readonly parameters?: readonly (Parameter | Reference)[];
  readonly requestBody?: Body;
  readonly security?: Security;
  readonly responses: Readonly<Record<string, Body>>;
  readonly [extension: `x-${string}`]: unknown;
}
type Operations = Readonly<Record<string, Readonly<Record<string, Operation>>>>;
interface Document {
  readonly paths: Operations;
  readonly webhooks?: Operations;
  readonly security?: Security;
  readonly components?: {
    readonly parameters?: Readonly<Record<string, Parameter>>;
    readonly schemas?: Readonly<Record<string, Schema>>;
    readonly responses?: Readonly<Record<string, Body>>;
  };
}

const ROLES = ["anyone", "viewer", "editor", "admin", "owner"];

/**
 * One line for each: `POST /v1/orders: the request field "note" is now required`. New response fields and error codes break
 * nothing: clients ignore unknown fields, and handle an unknown code by its status.
 */
export function breakingChanges(before: object, after: object): string[] {
  const [earlier, later] = [before as Document, after as Document];
  return [
    ...inEachOperation(earlier.paths, later.paths, (one, other) => changesOf(one, other, earlier, later)),
    ...inEachOperation(earlier.webhooks ?? {}, later.webhooks ?? {}, (one, other) => [
      ...sentHeaderChanges("the event", headersOfEvent(one, earlier), headersOfEvent(other, later)),
      ...sentChanges("the event", one.requestBody, other.requestBody, earlier, later),
    ]),
  ];
}

function inEachOperation(
  before: Operations,
  after: Operations,
  compare: (one: Operation, other: Operation) => string[],
): string[] {
  return Object.entries(before).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, operation]) => {
      const other = after[path]?.[method];
      const changes = other === undefined ? ["is removed"] : compare(operation, other);
      return [...new Set(changes)].map((change) => `${method.toUpperCase()} ${path}: ${change}`);
    }),
  );
}

function changesOf(one: Operation, other: Operation, before: Document, after: Document): string[] {
  return [
    ...(one.operationId === other.operationId ? [] : [`the operation id is now ${other.operationId}`]),
    ...credentialChanges(one.security ?? before.security ?? [], other.security ?? after.security ?? []),
    ...permissionChanges(one, other),
    ...parameterChanges(one, other, before, after),
    ...bodyChanges(one, other, before, after),
    ...responseChanges(one, other, before, after),
  ];
}

function credentialChanges(one: Security, other: Security): string[] {
  const accepted = (security: Security) =>
    (security.length === 0 ? [{}] : security).map((schemes) => Object.keys(schemes).sort());
  // A client may send a credential even where none is needed.
  const isAccepted = (sent: string[]) =>
    accepted(other).some((needed) => needed.every((scheme) => sent.includes(scheme)));
  return accepted(one)
    .filter((sent) => !isAccepted(sent))
    .map((sent) =>
      sent.length === 0 ? "now needs a credential" : `no longer accepts the credential ${sent.join(" and ")}`,
    );
}

function permissionChanges(one: Operation, other: Operation): string[] {
  const [role, scope, module] = ["role", "scope", "module"].map((name) => `x-tradepost-${name}` as const);
  const rank = (operation: Operation) => ROLES.indexOf(String(role && operation[role]));
  const needs = [scope, module].flatMap((name) =>
    name === undefined || other[name] === undefined || other[name] === one[name]
      ? []
      : [`now needs the ${name.replace("x-tradepost-", "")} ${other[name]}`],
  );
  const isUsersOnly = other["x-tradepost-users-only"] === true && one["x-tradepost-users-only"] !== true;
  return [
    ...(role !== undefined && rank(other) > rank(one) ? [`now needs the role ${other[role]}`] : []),
    ...needs,
    ...(isUsersOnly ? ["API keys are no longer accepted"] : []),
  ];
}

function parameterChanges(one: Operation, other: Operation, before: Document, after: Document): string[] {
  const [earlier, later] = [parametersOf(one, before), parametersOf(other, after)];
  const findIn = (list: readonly Parameter[], wanted: Parameter) =>
    list.find((parameter) => parameter.name === wanted.name && parameter.in === wanted.in);
  const named = (parameter: Parameter) => `the ${parameter.in} parameter "${parameter.name}"`;
  return [
    ...later
      .filter((parameter) => parameter.required && !findIn(earlier, parameter)?.required)
      .map((parameter) => `${named(parameter)} is now required`),
    ...earlier.flatMap((parameter) => {
      const now = findIn(later, parameter);
      if (now === undefined) return [`${named(parameter)} is removed`];
      const found = misfits(placeIn(before, parameter.schema), placeIn(after, now.schema));
      return [
        ...(writingOf(parameter) === writingOf(now)
          ? []
          : [`${named(parameter)} is now written in another way`]),
        ...found.map((misfit) => `${named(parameter)} ${inRequest(misfit)}`),
      ];
    }),
  ];
}

function parametersOf({ parameters = [] }: Operation, { components }: Document): Parameter[] {
  return parameters.flatMap(
    (one) => ("$ref" in one ? components?.parameters?.[one.$ref.split("/").at(-1) ?? ""] : one) ?? [],
  );
}

/** With OpenAPI's defaults. */
function writingOf({ in: place, style, explode }: Parameter): string {
  const actual = style ?? (place === "query" || place === "cookie" ? "form" : "simple");
  return `${actual} ${explode ?? actual === "form"}`;
}

function bodyChanges(one: Operation, other: Operation, before: Document, after: Document): string[] {
  const { content: earlier = {} } = one.requestBody ?? {};
  const { content: later = {}, required } = other.requestBody ?? {};
  return [
    ...(required && !one.requestBody?.required ? ["a body is now required"] : []),
    ...Object.entries(earlier).flatMap(([type, media]) => {
      const now = later[type];
      if (now === undefined) return [`a body of the type ${type} is no longer accepted`];
      const found = misfits(placeIn(before, media.schema), placeIn(after, now.schema));
      return found
        .filter(({ kind, what }) => kind !== "removed" || what === "required")
        .map((misfit) => `the ${fieldName("request", misfit)} ${inRequest(misfit)}`);
    }),
  ];
}

function responseChanges(one: Operation, other: Operation, before: Document, after: Document): string[] {
  return Object.entries(one.responses).flatMap(([status, response]) => {
    const isSuccess = /^[23]/.test(status);
    const now = other.responses[status];
    if (now === undefined) return isSuccess ? [`the response ${status} is removed`] : [];
    const what = `the response ${status}`;
    const headers = [bodyIn(before, response), bodyIn(after, now)].map((body) =>
      Object.keys(body.headers ?? {}),
    );
    return [
      ...sentHeaderChanges(what, headers[0], headers[1]),
      ...sentChanges(what, response, now, before, after),
    ];
  });
}

function sentHeaderChanges(
  what: string,
  one: readonly string[] = [],
  other: readonly string[] = [],
): string[] {
  const later = new Set(other.map((name) => name.toLowerCase()));
  return one
    .filter((name) => !later.has(name.toLowerCase()))
    .map((name) => `${what} no longer has the header "${name}"`);
}

function headersOfEvent(operation: Operation, document: Document): string[] {
  return parametersOf(operation, document)
    .filter((parameter) => parameter.in === "header")
    .map(({ name }) => name);
}

/** In the data that the platform sends, which must fit the schemas that clients know. */
function sentChanges(
  what: string,
  one: Body | undefined,
  other: Body | undefined,
  before: Document,
  after: Document,
): string[] {
  const { content: earlier = {} } = bodyIn(before, one);
  const { content: later = {} } = bodyIn(after, other);
  return Object.entries(earlier).flatMap(([type, media]) => {
    const now = later[type];
    if (now === undefined) return [`${what} is no longer of the type ${type}`];
    return misfits(placeIn(after, now.schema), placeIn(before, media.schema))
      .filter(breaksReaders)
      .map((misfit) => `the ${fieldName(what.replace("the ", ""), misfit)} ${inResponse(misfit)}`);
  });
}

function breaksReaders({ kind, path, what }: Misfit): boolean {
  if (path === "error.code") return false;
  // Readers of a feed skip events of unknown types.
  if (kind === "alternative" && what.endsWith("Event")) return false;
  return kind !== "unknown" && (kind !== "bound" || what.startsWith("format "));
}

function bodyIn({ components }: Document, body: Body = {}): Body {
  return body.$ref === undefined ? body : (components?.responses?.[body.$ref.split("/").at(-1) ?? ""] ?? {});
}

function placeIn({ components }: Document, schema: Schema = {}): Place {
  return { schema, resolve: (ref) => components?.schemas?.[ref.split("/").at(-1) ?? ""] ?? {} };
}

function fieldName(what: string, { path }: Misfit): string {
  return path === "" ? what : `${what} field "${path}"`;
}

function inRequest({ kind, what }: Misfit): string {
  if (kind === "type") return `no longer accepts the type ${what}`;
  if (kind === "missing" || kind === "removed") return "is now required";
  if (kind === "unknown" || kind === "value")
    return kind === "unknown" && !what.includes(" ") ? "is no longer accepted" : `no longer accepts ${what}`;
  return kind === "bound" ? `now has ${what}` : `no longer accepts the alternative ${what}`;
}

function inResponse({ kind, what }: Misfit): string {
  if (kind === "type") return `may now be of the type ${what}`;
  if (kind === "missing") return "may now be missing";
  if (kind === "removed") return "is removed";
  if (kind === "value") return `may now be ${what}`;
  return kind === "bound" ? `no longer has ${what}` : `may now be the alternative ${what}`;
}
