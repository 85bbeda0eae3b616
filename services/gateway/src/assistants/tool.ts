import { ApiError, type Principal, permit, type Requirement } from "@tradepost/http";
import { z } from "zod";
import type { DescribedTenant, Signer } from "../identity/identity.ts";
import type { ServiceCalls } from "./service-calls.ts";

const requirement = (needed: Requirement): Requirement => needed;

export const READ_CRM = requirement({ module: "crm", role: "viewer", scope: "read:crm" });
export const WRITE_CRM = requirement({ module: "crm", role: "editor", scope: "write:crm" });
export const READ_CONTENT = requirement({ module: "content", role: "viewer", scope: "read:content" });
export const WRITE_CONTENT = requirement({ module: "content", role: "editor", scope: "write:content" });

export interface ToolContext {
  readonly principal: Principal;
  readonly services: ServiceCalls;
  readonly confirmationSigner: Signer;
  readonly describeTenant: () => Promise<DescribedTenant>;
  readonly tools: Availability;
  readonly beginWait: () => Promise<() => void>;
  readonly checkCaller: () => Promise<void>;
}

export interface ToolResult {
  /** Contains no stranger's text. */
  readonly summary: string;
  readonly structured: Record<string, unknown>;
}

export interface Tool<Args = unknown> {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  /** One for each route that the tool uses. */
  readonly needs: readonly Requirement[];
  /** For a tool that uses whichever routes the caller may use: one of these is enough. */
  readonly needsOneOf?: readonly Requirement[];
  readonly effect: "reads" | "adds" | "changes" | "destroys";
  readonly isIdempotent?: true;
  /** Strict, with names in snake case. */
  readonly input: z.ZodType<Args>;
  /** JSON Schema of the structured result. */
  readonly output: object;
  readonly run: (args: Args, context: ToolContext) => Promise<ToolResult>;
}

export function listed(heading: string, name: string, rows: object[], nextCursor: string | null): ToolResult {
  const more = nextCursor === null ? "" : "; there are more: pass next_cursor as cursor";
  return {
    summary: `${heading}: ${rows.length}${more}.`,
    structured: { [name]: rows, next_cursor: nextCursor },
  };
}

/** Erases the types of the arguments, so that all tools fit into one list. */
export function tool<Args>(definition: Tool<Args>): Tool {
  return definition as unknown as Tool;
}

type Availability = ReturnType<typeof availabilityOf>;

export function availabilityOf(tools: readonly Tool[], principal: Principal) {
  const checked = tools.map((one) => ({ tool: one, refusal: refusalOf(one, principal) }));
  return {
    available: checked.flatMap(({ tool: one, refusal }) => (refusal === null ? [one] : [])),
    refused: checked.flatMap(({ tool: one, refusal }) => (refusal === null ? [] : [{ tool: one, refusal }])),
  };
}

function refusalOf({ needs, needsOneOf = [] }: Tool, principal: Principal): ApiError | null {
  const refusals = needsOneOf.map((requirement) => refusalBy(requirement, principal));
  const first = needs
    .map((requirement) => refusalBy(requirement, principal))
    .find((refusal) => refusal !== null);
  return first ?? (refusals.every((refusal) => refusal !== null) ? (refusals[0] ?? null) : null);
}

export function refusalBy(requirement: Requirement, principal: Principal): ApiError | null {
  try {
    permit(principal, requirement);
    return null;
  } catch (error) {
    if (error instanceof ApiError) return error;
    throw error;
  }
}

export function listedTool({ name, title, description, effect, isIdempotent, input, output }: Tool) {
  const { $schema: _, ...inputSchema } = z.toJSONSchema(input, { io: "input", override: dropBounds });
  return {
    name,
    title,
    description,
    inputSchema: ofObject(inputSchema),
    outputSchema: ofObject(output),
    annotations: {
      readOnlyHint: effect === "reads",
      ...(effect !== "reads" && {
        destructiveHint: effect === "destroys" || effect === "changes",
        idempotentHint: isIdempotent === true,
      }),
      openWorldHint: false,
    },
  };
}

function ofObject(schema: object): { readonly type: "object" } {
  return { ...schema, type: "object" };
}

/** Leaves out bounds that a model hardly ever meets. They still apply. */
function dropBounds({ jsonSchema }: { jsonSchema: z.core.JSONSchema.BaseSchema }): void {
  for (const bound of ["minLength", "maxLength", "pattern", "propertyNames"] as const)
    delete jsonSchema[bound];
  if ((jsonSchema.maximum ?? 0) >= LARGE) delete jsonSchema.maximum;
}

const LARGE = 1_000_000;
