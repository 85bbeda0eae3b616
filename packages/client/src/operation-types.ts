// The types of an operation's input and output, from the generated types of the API description.
import type { operations } from "./generated/api.ts";

/** The id of an operation in the API description, except webhooks (`receive_…`) and a browser's sign-in at a provider. */
export type OperationId = Exclude<keyof operations, `receive_${string}` | `${"start" | "finish"}OidcSignIn`>;

export type QueryOf<Id extends OperationId> = Lenient<NonNullable<ParametersOf<Id>["query"]>>;

export type PathOf<Id extends OperationId> = NonNullable<ParametersOf<Id>["path"]>;

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

/** Lets an optional parameter also be undefined, and a list be read-only. */
type Lenient<Query> = {
  [Name in keyof Query]:
    | (Query[Name] extends (infer Item)[] | undefined ? readonly Item[] : Query[Name])
    | (object extends Pick<Query, Name> ? undefined : never);
};

type SuccessOf<Responses> = Responses[keyof Responses & (200 | 201 | 202 | 204)];

type DataIn<Success> = Success extends { content: { "application/json": infer Body } }
  ? Body extends { success: true; data: infer Data }
    ? Data
    : Body
  : Success extends { content: Record<string, unknown> }
    ? Uint8Array
    : undefined;
