// Downloads everything that the filters of a list find, as CSV: for spreadsheets in the language of the shop, or for programs. A link could not do it: the token is in the memory of the page, not
// in a cookie.
import type { OperationId, QueryOf } from "@tradepost/client/operations";
import { useEffect, useRef, useState } from "react";
import { explain, Failure } from "../api/failure.ts";
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
  const [bytes, setBytes] = useState<number | null>(null);
  const [failure, setFailure] = useState<Failure | null>(null);
  const abort = useRef<AbortController>(null);
  useEffect(() => () => abort.current?.abort(), []);
  const download = async (locale?: string) => {
    const controller = new AbortController();
    const { signal } = controller;
    abort.current = controller;
    setBytes(0);
    setFailure(null);
    try {
      const input = { query: { ...query, format: "csv", locale } } as Input<Id>;
      saveFile(
        await requestFile(operation, input, { signal, onProgress: setBytes }),
        `${name}-${dayOf(new Date())}.csv`,
      );
    } catch (error) {
      if (signal.aborted) return;
      if (!(error instanceof Failure)) throw error;
      setFailure(error);
    } finally {
      setBytes(null);
    }
  };
  return (
    <>
      {failure && (
        <span className="field-error" role="alert">
          Nothing was exported. {explain(failure).title}.
        </span>
      )}
      <Menu
        label="Export as CSV"
        text={bytes === null ? "Export" : bytes === 0 ? "Exporting…" : `Exporting… ${size(bytes)}`}
        isBusy={bytes !== null}
      >
        <MenuItem text="For Excel" onClick={() => void download(shop().locale)} />
        <MenuItem text="For programs" onClick={() => void download()} />
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
