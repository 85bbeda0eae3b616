// Downloads everything that the filters of a list find, as CSV for programs or for spreadsheets of the shop's locale. A link could not do it: the token is in the memory of the page, not
// in a cookie.
import type { OperationId, QueryOf } from "@tradepost/client/operations";
import { useEffect, useRef, useState } from "react";
import { explain } from "../api/explain.ts";
import { Failure } from "../api/failure.ts";
import type { Input } from "../api/send.ts";
import { shop } from "../format/shop.ts";
import { dayOf } from "../format/time.ts";
import { size } from "../format/words.ts";
import { requestFile } from "../session/request.ts";
import { Button } from "./button.tsx";
import { Menu, MenuItem } from "./menu.tsx";
import { saveFile } from "./save-file.ts";

type Exports = Extract<OperationId, `export${string}`>;

interface ExportButtonProps<Id extends Exports> {
  readonly operation: Id;
  readonly query: QueryOf<Id>;
  /** The beginning of the file's name: `orders`. */
  readonly name: string;
}

export function ExportButton<Id extends Exports>({ operation, query, name }: ExportButtonProps<Id>) {
  const [bytes, setBytes] = useState<number | null>(null);
  const [failure, setFailure] = useState<Failure | null>(null);
  const abort = useRef<AbortController>(null);
  useEffect(() => () => abort.current?.abort(), []);
  const download = async (form: { readonly locale?: string }) => {
    const controller = new AbortController();
    const { signal } = controller;
    abort.current = controller;
    setBytes(0);
    setFailure(null);
    try {
      const input = { query: { ...query, format: "csv", ...form } } as Input<Id>;
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
      <Button isBusy={bytes !== null} onClick={() => download({})}>
        {bytes === null ? "Export CSV" : bytes === 0 ? "Exporting…" : `Exporting… ${size(bytes)}`}
      </Button>
      <Menu label="More exports">
        <MenuItem onClick={() => download({ locale: shop().locale })}>Export for Excel</MenuItem>
      </Menu>
    </>
  );
}
