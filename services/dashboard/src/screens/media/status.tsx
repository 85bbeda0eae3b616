// The status of a file.
import type { DataOf } from "@tradepost/client/operations";
import { Badge } from "../../ui/badge.tsx";

export type Media = DataOf<"getMedia">;

const TEXTS = {
  uploaded: { tone: "warning", text: "Waiting" },
  processing: { tone: "warning", text: "Being resized" },
  ready: { tone: "good", text: "Ready" },
  failed: { tone: "danger", text: "Failed" },
} as const;

export function Status({ status }: Pick<Media, "status">) {
  const { tone, text } = TEXTS[status];
  return <Badge tone={tone}>{text}</Badge>;
}

/** True if the status will change by itself. */
export function isOpen({ status }: Pick<Media, "status">): boolean {
  return status === "uploaded" || status === "processing";
}
