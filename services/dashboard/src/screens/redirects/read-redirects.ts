// Redirects that are pasted or read from a file: two columns, from and to, and if there is a third, the kind. Pure.
import type { DataOf } from "@tradepost/client/operations";
import { readCsv } from "../../format/csv.ts";

export type Redirect = DataOf<"getRedirect">;

export const KINDS = [
  { type: 301, name: "Moved for good", means: "Browsers and search engines remember it." },
  { type: 302, name: "Elsewhere for now", means: "It is looked up again each time." },
  { type: 307, name: "Elsewhere for now, forms too", means: "As 302; what a form sends goes along." },
  { type: 308, name: "Moved for good, forms too", means: "As 301; what a form sends goes along." },
] as const satisfies readonly { type: Redirect["type"]; name: string; means: string }[];

export interface NewRedirect extends Pick<Redirect, "from" | "to"> {
  readonly line: number;
  readonly type?: Redirect["type"];
}

export interface Refused {
  readonly line: number;
  readonly from: string;
  readonly message: string;
}

/** The first line may be a redirect or the names of the columns. */
export function readRedirects(text: string): { redirects: NewRedirect[]; refused: Refused[] } {
  const separator = /[\t;,]/.exec(text)?.[0] ?? ",";
  const isNamed = !/^\s*"?\//.test(text);
  const csv = readCsv(isNamed ? text : `${["from", "to", "kind"].join(separator)}\n${text}`);
  if (csv === null) return { redirects: [], refused: [{ line: 1, from: "", message: "Needs two columns." }] };
  const redirects: NewRedirect[] = [];
  const refused: Refused[] = [];
  const lines = new Map<string, number>();
  for (const { line: read, cells } of csv.rows) {
    const line = isNamed ? read : read - 1;
    const [from = "", to = "", kind = ""] = cells.map((cell) => cell.trim());
    const type = KINDS.find((one) => String(one.type) === kind)?.type;
    const message = faultOf({ from, to, kind, type, earlier: lines.get(from) });
    lines.set(from, line);
    if (message !== undefined) refused.push({ line, from, message });
    else redirects.push({ line, from, to, ...(type && { type }) });
  }
  if (csv.fault !== undefined) refused.push({ line: csv.rows.length + 1, from: "", message: csv.fault });
  return { redirects, refused };
}

interface Row extends Pick<Redirect, "from" | "to"> {
  readonly kind: string;
  readonly type: number | undefined;
  readonly earlier: number | undefined;
}

function faultOf({ from, to, kind, type, earlier }: Row): string | undefined {
  if (!/^\/[^?#]*$/.test(from)) return "From must be a path that begins with /, without ? and #.";
  if (!/^(\/(?![/\\])|https?:\/\/)\S*$/.test(to)) return "To must be a path or an address with http.";
  if (kind !== "" && type === undefined) return `The kind is 301, 302, 307 or 308, not ${kind}.`;
  return earlier === undefined ? undefined : `Line ${earlier} has this path, too.`;
}
