// The request behind a screen, as a command to paste into a terminal. It is the last item of the screen's menu.
import type { OperationId } from "@tradepost/client/operations";
import { useState } from "react";
import { curlOf } from "../api/curl.ts";
import type { Input } from "../api/send.ts";
import { CodeBlock } from "./code.tsx";
import { Dialog } from "./dialog.tsx";
import { MenuItem } from "./menu.tsx";
import { ScreenTools } from "./screen.tsx";

interface BehindTheScreenProps<Id extends OperationId> {
  readonly operation: Id;
  readonly input?: Input<Id>;
}

export function BehindTheScreen<Id extends OperationId>({ operation, input = {} }: BehindTheScreenProps<Id>) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <ScreenTools>
        <MenuItem onClick={() => setOpen(true)}>The request behind this screen</MenuItem>
      </ScreenTools>
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
    </>
  );
}
