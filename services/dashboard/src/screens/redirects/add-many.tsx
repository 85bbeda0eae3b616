// Adds many redirects from two columns, pasted or from a file. They are checked, and then sent by the hundred.
import { useState } from "react";
import { partsOf } from "../../data/bulk-run.ts";
import { say } from "../../data/messages.ts";
import { useChange } from "../../data/operations.ts";
import { textOfFile } from "../../format/csv.ts";
import { counted } from "../../format/words.ts";
import { FormDialog } from "../../ui/change-dialogs.tsx";
import { useClose } from "../../ui/dialog.tsx";
import { AreaField, TextField } from "../../ui/field.tsx";
import { type Column, Table } from "../../ui/list.tsx";
import { type NewRedirect, type Refused, readRedirects } from "./read-redirects.ts";

const SENT_MAX = 100;
const ROWS = 10;

export function AddManyDialog() {
  const close = useClose();
  const [text, setText] = useState("");
  const [sent, setSent] = useState<{ text: string; refused: readonly Refused[] } | null>(null);
  const [isPending, setPending] = useState(false);
  const change = useChange("createRedirects", { stale: ["listRedirects"] });
  const { redirects, refused } = text.trim() === "" ? { redirects: [], refused: [] } : readRedirects(text);
  const faults = sent?.text === text ? sent.refused : refused;
  const read = async (file?: File) => file && setText(textOfFile(await file.arrayBuffer()));
  const submit = async () => {
    if (redirects.length === 0 || refused.length > 0) return;
    setPending(true);
    // The note shows a failure. Redirects that were added before it are refused the next time, because they exist.
    const found = await sendAll(change.mutateAsync, redirects).catch(() => null);
    setPending(false);
    if (found === null) return;
    say(`${counted(redirects.length - found.length, "redirect")} added.`);
    if (found.length === 0) close();
    setSent({ text, refused: found });
  };
  return (
    <FormDialog
      title="Add many redirects"
      isWide
      action={redirects.length === 0 ? "Add redirects" : `Add ${counted(redirects.length, "redirect")}`}
      change={{ error: change.error, isPending }}
      onSubmit={submit}
    >
      <AreaField
        label="From and to"
        hint="Two columns of a spreadsheet, or CSV. A third may have the kind: 301, 302, 307 or 308."
        rows={ROWS}
        spellCheck={false}
        required
        placeholder={"/old-page\t/new-page"}
        value={text}
        onChange={({ currentTarget }) => setText(currentTarget.value)}
      />
      <TextField
        label="From a CSV file"
        type="file"
        accept=".csv,.tsv,.txt,text/csv"
        onChange={({ currentTarget: { files } }) => void read(files?.[0])}
      />
      <div role="status">
        {faults.length > 0 && (
          <>
            <p>
              {sent?.text === text ? "Not added: " : "Correct first: "}
              {counted(faults.length, "line")}.
            </p>
            <Table caption="Lines at fault" columns={FAULTS} rows={faults.map(withId)} />
          </>
        )}
      </div>
    </FormDialog>
  );
}

const FAULTS: readonly Column<Refused & { readonly id: string }>[] = [
  { name: "Line", cell: ({ line }) => line },
  { name: "From", cell: ({ from }) => <code className="clamped">{from}</code> },
  { name: "Fault", cell: ({ message }) => message },
];
const withId = (fault: Refused) => ({ ...fault, id: String(fault.line) });

type Send = ReturnType<typeof useChange<"createRedirects">>["mutateAsync"];

async function sendAll(create: Send, redirects: readonly NewRedirect[]): Promise<Refused[]> {
  const found: Refused[] = [];
  for (const part of partsOf(redirects, SENT_MAX)) found.push(...(await send(create, part)));
  return found;
}

async function send(create: Send, redirects: readonly NewRedirect[]): Promise<Refused[]> {
  const body = { redirects: redirects.map(({ line: _, ...redirect }) => redirect) };
  const { data } = await create({ body });
  return data.flatMap((result) => {
    const redirect = redirects[result.index];
    if (result.success || redirect === undefined) return [];
    const message = result.error.details?.[0]?.message ?? result.error.message;
    return [{ line: redirect.line, from: redirect.from, message }];
  });
}
