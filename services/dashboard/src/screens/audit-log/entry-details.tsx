// Everything that the log knows about an entry, for an investigation: the changes, and the request behind them.
import type { DataOf } from "@tradepost/client/operations";
import type { ReactNode } from "react";
import { programOf } from "../../format/user-agent.ts";
import { CopiedId } from "../../ui/id.tsx";
import { changesOf } from "./changes.ts";
import "./entry-details.css";

interface EntryDetailsProps {
  readonly entry: DataOf<"listAuditLog">[number];
}

export function EntryDetails({ entry }: EntryDetailsProps) {
  const { at, action, target, changes, requestId, userAgent } = entry;
  return (
    <details className="entry-details">
      <summary>
        Details<span className="hidden"> of {action}</span>
      </summary>
      <dl>
        {changesOf(changes).map(({ field, before, after }) => (
          <Line key={field} name={field}>
            {before !== undefined && (
              <>
                <del>{before}</del> <span aria-hidden="true">→</span>{" "}
              </>
            )}
            {before === undefined ? after : <ins>{after}</ins>}
          </Line>
        ))}
        <Line name="Exact time">
          <code>{at}</code>
        </Line>
        <Line name="Action">
          <code>{action}</code>
        </Line>
        <Line name="Target id">
          <CopiedId id={target.id} what="target id" />
        </Line>
        <Line name="Request id">
          <CopiedId id={requestId} what="request id" />
        </Line>
        {userAgent !== null && (
          <Line name="Program">
            {programOf(userAgent)} <code className="soft">{userAgent}</code>
          </Line>
        )}
      </dl>
    </details>
  );
}

function Line({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}
