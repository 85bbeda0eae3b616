// The parts of OpenAPI documents that the tools read.

export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | Schema;
  readonly propertyNames?: Schema;
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly default?: unknown;
  readonly [rule: string]: unknown;
}

/** Of a request or a response. */
export interface Body {
  readonly $ref?: string;
  readonly required?: boolean;
  readonly headers?: Readonly<Record<string, unknown>>;
  readonly content?: Readonly<Record<string, { readonly schema?: Schema }>>;
}

export interface Parameter {
  readonly $ref?: string;
  readonly name: string;
  readonly in: string;
  readonly description?: string;
  readonly required?: boolean;
  readonly style?: string;
  readonly explode?: boolean;
  readonly example?: unknown;
  readonly schema?: Schema;
}

/** Any one entry suffices; its schemes are required together. No entries, or an empty entry, means no credential is needed. */
type Security = readonly Readonly<Record<string, readonly string[]>>[];

export interface Operation {
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: Body;
  readonly security?: Security;
  readonly responses: Readonly<Record<string, Body>>;
  readonly [extension: `x-${string}`]: unknown;
}

type Paths = Readonly<Record<string, Readonly<Record<string, Operation>>>>;

export interface Document {
  readonly paths: Paths;
  readonly webhooks?: Paths;
  readonly security?: Security;
  readonly components: {
    readonly schemas: Readonly<Record<string, Schema>>;
    readonly responses: Readonly<Record<string, Body>>;
  };
}
