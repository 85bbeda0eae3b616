// The types of an operation's input and output, from the generated types of the API description.
import type { operations } from "./generated/api.ts";

/** The id of an operation in the API description. The ids of webhooks are not of requests to the platform. */
export type OperationId = Exclude<keyof operations, `receive_${string}`>;

/** The parameters of the query. A list of values may be an array in place of a text with commas. */
export type QueryOf<Id extends OperationId> = Listed<NonNullable<ParametersOf<Id>["query"]>>;

/** The parameters of the path. */
export type PathOf<Id extends OperationId> = NonNullable<ParametersOf<Id>["path"]>;

/** The JSON body of the request. */
export type BodyOf<Id extends OperationId> =
  NonNullable<operations[Id]["requestBody"]> extends {
    content: { "application/json": infer Body };
  }
    ? Body
    : File;

/** The `data` of a successful response. */
export type DataOf<Id extends OperationId> = DataIn<SuccessOf<operations[Id]["responses"]>>;

/** An item of a list, or an event of a feed. */
export type ItemOf<Id extends OperationId> = DataOf<Id> extends readonly (infer Item)[] ? Item : never;

type ParametersOf<Id extends OperationId> = operations[Id]["parameters"];

/** A parameter that may be left out may be undefined too. */
type Listed<Query> = {
  [Name in keyof Query]: Listable<Name, Query[Name]> | (object extends Pick<Query, Name> ? undefined : never);
};

type Listable<Name, Value> = Name extends "ids" | "types" | "events" ? Value | readonly string[] : Value;

type SuccessOf<Responses> = Responses[keyof Responses & (200 | 201 | 202 | 204)];

type DataIn<Success> = Success extends { content: { "application/json": infer Body } }
  ? Body extends { success: true; data: infer Data }
    ? Data
    : Body
  : Success extends { content: Record<string, unknown> }
    ? Uint8Array
    : undefined;
