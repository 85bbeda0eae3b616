// A tool: its name and description for the model, who may use it, its arguments, and how it runs.
import { ApiError, type Principal, permit, type Requirement } from "@tradepost/http";
import { z } from "zod";
import type { Signer } from "../identity/identity.ts";
import type { ServiceCalls } from "./service-calls.ts";

// The requirements of the routes that the tools use (interface §4, §5 and §7).
const requirement = (needed: Requirement): Requirement => needed;

export const READ_CRM = requirement({ module: "crm", role: "viewer", scope: "read:crm" });
export const WRITE_CRM = requirement({ module: "crm", role: "editor", scope: "write:crm" });
export const READ_CONTENT = requirement({ module: "content", role: "viewer", scope: "read:content" });
export const WRITE_CONTENT = requirement({ module: "content", role: "editor", scope: "write:content" });

/** The parts of the gateway that a running tool uses. */
export interface ToolContext {
  readonly principal: Principal;
  readonly services: ServiceCalls;
  /** Signs the `confirm` values. */
  readonly confirmationSigner: Signer;
  /** The tenant as `whoami` shows it. */
  readonly describeTenant: () => Promise<{
    id: string;
    slug: string;
    name: string;
    modules: readonly string[];
  }>;
  /** The tools that the principal may use, and the refusals of the others. */
  readonly tools: Availability;
}

export interface Availability {
  readonly available: readonly Tool[];
  readonly refused: readonly { readonly tool: Tool; readonly refusal: ApiError }[];
}

export interface ToolResult {
  /** One or two sentences without any stranger's text. */
  readonly summary: string;
  /** Matches the tool's `output`. */
  readonly structured: Record<string, unknown>;
}

export interface Tool<Args = unknown> {
  readonly name: string;
  readonly title: string;
  /** When to use it and when not. */
  readonly description: string;
  /** The caller must meet all of them: one for each route that the tool uses. */
  readonly needs: readonly Requirement[];
  readonly effect: "reads" | "adds" | "changes" | "destroys";
  /** True if a repeated call changes nothing further. */
  readonly isIdempotent?: true;
  /** A strict schema; its names are in snake case. */
  readonly input: z.ZodType<Args>;
  /** JSON Schema of the structured result. */
  readonly output: object;
  readonly run: (args: Args, context: ToolContext) => Promise<ToolResult>;
}

/** Checks the types of a tool, then erases them so that tools with different arguments fit into one list. */
export function tool<Args>(definition: Tool<Args>): Tool {
  return definition as unknown as Tool;
}

export function availabilityOf(tools: readonly Tool[], principal: Principal): Availability {
  const checked = tools.map((one) => ({ tool: one, refusal: refusalOf(one, principal) }));
  return {
    available: checked.flatMap(({ tool: one, refusal }) => (refusal === null ? [one] : [])),
    refused: checked.flatMap(({ tool: one, refusal }) => (refusal === null ? [] : [{ tool: one, refusal }])),
  };
}

/** Returns why the principal may not use the tool, or null if it may. */
function refusalOf({ needs }: Tool, principal: Principal): ApiError | null {
  for (const requirement of needs) {
    try {
      permit(principal, requirement);
    } catch (error) {
      if (error instanceof ApiError) return error;
      throw error;
    }
  }
  return null;
}

/** The tool as `tools/list` shows it. */
export interface ListedTool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly inputSchema: { readonly type: "object" };
  readonly outputSchema: { readonly type: "object" };
  readonly annotations: Readonly<Record<string, boolean>>;
}

export function listedTool({
  name,
  title,
  description,
  effect,
  isIdempotent,
  input,
  output,
}: Tool): ListedTool {
  const { $schema: _, ...inputSchema } = z.toJSONSchema(input, { io: "input", override: dropBounds });
  return {
    name,
    title,
    description,
    inputSchema: { ...inputSchema, type: "object" },
    outputSchema: { ...output, type: "object" },
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

/**
 * Leaves out bounds that a model hardly ever meets, because every model reads the list of tools again and again. The bounds still
 * apply: a refusal names the argument and the bound.
 */
function dropBounds({ jsonSchema }: { jsonSchema: z.core.JSONSchema.BaseSchema }): void {
  for (const bound of ["minLength", "maxLength", "pattern", "propertyNames"] as const)
    delete jsonSchema[bound];
  if ((jsonSchema.maximum ?? 0) >= LARGE) delete jsonSchema.maximum;
}

const LARGE = 1_000_000;
