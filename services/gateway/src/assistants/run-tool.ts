// Runs a tool: checks the caller and the arguments, and turns the result or the refusal into the protocol's result.
import { ApiError, validateNew } from "@tradepost/http";
import type { Logger } from "@tradepost/runtime";
import type { Caller } from "./service-calls.ts";
import type { Tool, ToolContext, ToolResult } from "./tool.ts";
import { toolFailure } from "./tool-failure.ts";

export type CallResult = Awaited<ReturnType<typeof runTool>>;

/** Never rejects: a failure is a result with `isError`. */
export async function runTool(
  tool: Tool,
  args: unknown,
  context: ToolContext,
  { requestId }: Pick<Caller, "requestId">,
  logger: Logger,
) {
  try {
    const refused = context.tools.refused.find((one) => one.tool === tool);
    if (refused !== undefined) throw refused.refusal;
    return succeeded(await tool.run(validateNew(tool.input, args ?? {}), context));
  } catch (error) {
    const expected =
      error instanceof ApiError
        ? error
        : new ApiError("internal_error", "Something went wrong on our side.", { cause: error });
    if (expected.status >= 500)
      logger.error({ err: error, cause: expected.cause, tool: tool.name }, "tool failed");
    const hasRequestKey = typeof (args as { request_key?: unknown } | null)?.request_key === "string";
    const failed = { isWrite: tool.effect !== "reads", hasRequestKey };
    return refusedWith(toolFailure(expected, requestId, failed));
  }
}

function succeeded({ summary, structured }: ToolResult) {
  return { content: texts(summary, structured), structuredContent: structured };
}

// structuredContent would have to match the tool's output schema.
function refusedWith(error: ReturnType<typeof toolFailure>) {
  return { content: texts(`${error.code}: ${error.message} ${error.next_step}`, { error }), isError: true };
}

function texts(summary: string, structured: object) {
  return [summary, JSON.stringify(structured)].map((text) => ({ type: "text" as const, text }));
}
