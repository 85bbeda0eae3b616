// Downloads everything that the filters of a list find, as CSV: for spreadsheets in the language of the shop, or for programs. A link
// could not do it: the token is in the memory of the page, not in a cookie.
import { useMutation } from "@tanstack/react-query";
import type { OperationId, QueryOf } from "@tradepost/client/operations";
import { useEffect, useRef, useState } from "react";
import { explain, type Failure } from "../api/failure.ts";
import type { Input } from "../api/send.ts";
import { shop } from "../format/shop.ts";
import { dayOf } from "../format/time.ts";
import { size } from "../format/words.ts";
import { requestFile } from "../session/request.ts";
import { Menu, MenuItem } from "./menu.tsx";

type Exports = Extract<OperationId, `export${string}`>;

interface ExportButtonProps<Id extends Exports> {
  readonly operation: Id;
  readonly query: QueryOf<Id>;
  readonly name: string;
}

export function ExportButton<Id extends Exports>({ operation, query, name }: ExportButtonProps<Id>) {
  const [bytes, setBytes] = useState(0);
  const abort = useRef<AbortController>(null);
  useEffect(() => () => abort.current?.abort(), []);
  const download = useMutation<void, Failure, string | undefined>({
    // Without a connection it fails at once: a file must not arrive much later, after the user has left the screen.
    networkMode: "always",
    mutationFn: async (locale) => {
      abort.current = new AbortController();
      setBytes(0);
      const input = { query: { ...query, format: "csv", locale } } as Input<Id>;
      const options = { signal: abort.current.signal, onProgress: setBytes };
      saveFile(await requestFile(operation, input, options), `${name}-${dayOf(new Date())}.csv`);
    },
  });
  const progress = bytes === 0 ? "Exporting…" : `Exporting… ${size(bytes)}`;
  return (
    <>
      {download.error && (
        <span className="field-error" role="alert">
          Nothing was exported. {explain(download.error).title}.
        </span>
      )}
      <Menu label="Export as CSV" text={download.isPending ? progress : "Export"} isBusy={download.isPending}>
        <MenuItem text="For Excel" onClick={() => download.mutate(shop().locale)} />
        <MenuItem text="For programs" onClick={() => download.mutate(undefined)} />
      </Menu>
    </>
  );
}

/** Offers a file that the page has made or read as a download. */
export function saveFile(file: Blob, name: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(file);
  link.download = name;
  link.click();
  // The download has begun by then, so the browser keeps the file for it.
  URL.revokeObjectURL(link.href);
}
