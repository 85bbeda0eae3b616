// The request behind a screen, as a command to paste into a terminal. Its button is in the head of the screen.
import type { OperationId } from "@tradepost/client/operations";
import { useState } from "react";
import { curlOf } from "../api/curl.ts";
import type { Input } from "../api/send.ts";
import { IconButton } from "./button.tsx";
import { CodeBlock } from "./code.tsx";
import { Dialog } from "./dialog.tsx";
import { CodeIcon } from "./icons.tsx";
import { ScreenTools } from "./screen.tsx";

interface BehindTheScreenProps<Id extends OperationId> {
  readonly operation: Id;
  readonly input?: Input<Id>;
}

export function BehindTheScreen<Id extends OperationId>({ operation, input = {} }: BehindTheScreenProps<Id>) {
  const [isOpen, setOpen] = useState(false);
  return (
    <ScreenTools>
      <IconButton label="The request behind this screen" onClick={() => setOpen(true)}>
        <CodeIcon />
      </IconButton>
      {isOpen && (
        <Dialog title="The request behind this screen" isWide onClose={() => setOpen(false)}>
          <CodeBlock text={curlOf(operation, input, location.origin)} what="the request as curl" />
          <p className="note-small">
            <code>TRADEPOST_TOKEN</code> is a dashboard token: <code>POST /v1/auth/login</code> responds with
            one. The{" "}
            <a href="/docs" target="_blank" rel="noopener">
              API reference
            </a>{" "}
            describes every request.
          </p>
        </Dialog>
      )}
    </ScreenTools>
  );
}
