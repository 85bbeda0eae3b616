// The request behind a screen, as a command to paste into a terminal.
import type { OperationId } from "@tradepost/client/operations";
import { curlOf } from "../api/curl.ts";
import type { Input } from "../api/send.ts";
import { CodeBlock } from "./code.tsx";

interface BehindTheScreenProps<Id extends OperationId> {
  readonly operation: Id;
  readonly input?: Input<Id>;
}

export function BehindTheScreen<Id extends OperationId>({ operation, input = {} }: BehindTheScreenProps<Id>) {
  return (
    <details className="behind">
      <summary>The request behind this screen</summary>
      <CodeBlock text={curlOf(operation, input, location.origin)} what="the request as curl" />
      <p className="note-small">
        <code>TRADEPOST_TOKEN</code> is a dashboard token: <code>POST /v1/auth/login</code> responds with one.
        The <a href="/docs">API reference</a> describes every request.
      </p>
    </details>
  );
}
