// The chain of the audit log: its head, and verifying it in the browser, which trusts neither the gateway nor its database.
import { useMutation } from "@tanstack/react-query";
import { verifyAuditLog } from "@tradepost/client/operations";
import { useState } from "react";
import { Failure } from "../../api/failure.ts";
import { useRead } from "../../data/operations.ts";
import { counted, size } from "../../format/words.ts";
import { request, requestFile } from "../../session/request.ts";
import { Button } from "../../ui/button.tsx";
import { ShortId } from "../../ui/code.tsx";
import { ErrorNote, Note } from "../../ui/note.tsx";
import { Time } from "../../ui/value.tsx";

export function Chain() {
  const { data: head } = useRead("getAuditLogHead");
  const [bytes, setBytes] = useState(0);
  const { mutate, isPending, data, error } = useMutation<Verified, Failure>({
    mutationFn: () => verifyChain(setBytes),
    // Fails at once without a connection, instead of waiting for one.
    networkMode: "always",
    onMutate: () => setBytes(0),
    throwOnError: (failure) => !(failure instanceof Failure),
  });
  if (head === undefined || head.at === null) return null;
  return (
    <>
      <p className="note-small">
        A chain of {counted(head.n, "entry", "entries")}, up to <Time at={head.at} />. Its head is{" "}
        <ShortId id={head.hash} what="hash of the last entry" />: keep it elsewhere, to verify an export
        later. {/* Browsers compute hashes only over https and on localhost. */}
        {isSecureContext && (
          <Button
            text={isPending ? `Verifying… ${size(bytes)}` : "Verify now"}
            look="quiet"
            isBusy={isPending}
            onClick={() => mutate()}
          />
        )}
      </p>
      {error && <ErrorNote failure={error} />}
      {data && <Result verified={data} />}
    </>
  );
}

type Verified = Awaited<ReturnType<typeof verifyChain>>;

/** Entries that are added meanwhile are left out. */
async function verifyChain(onProgress: (bytes: number) => void) {
  const { data: head } = await request("getAuditLogHead", {});
  const file = await requestFile("exportAuditLog", { query: { format: "ndjson" } }, { onProgress });
  return { ...(await verifyAuditLog(firstLines(file, head.n), { head })), head };
}

/** Large files are not in memory as a whole. */
async function* firstLines(file: Blob, count: number): AsyncGenerator<string> {
  const reader = file.stream().pipeThrough(new TextDecoderStream()).getReader();
  let [rest, left] = ["", count];
  for (;;) {
    const { done, value = "" } = await reader.read();
    const lines = `${rest}${value}`.split("\n");
    rest = done ? "" : (lines.pop() ?? "");
    for (const line of lines) {
      if (left === 0 || line === "") continue;
      left -= 1;
      yield line;
    }
    if (done) return;
  }
}

const KINDS = {
  changed: "was changed",
  removed: "was removed",
  added: "was added later",
  moved: "is at another place",
} as const;

function Result({ verified: { firstFault, head } }: { readonly verified: Verified }) {
  if (firstFault !== null)
    return (
      <Note
        tone="danger"
        title={`Entry ${firstFault.n} ${KINDS[firstFault.kind]}`}
        isAlert
        text="Somebody has changed the database. Keep an export, and tell the operator of Tradepost."
      />
    );
  return (
    <Note tone="info" title={`Verified up to entry ${head.n}`} isAlert>
      <p>
        This browser has computed the hashes of all entries again, up to{" "}
        <ShortId id={head.hash} what="hash of the last entry" />. Compare it with a head that you kept: a log
        that was written anew from the start has another.
      </p>
    </Note>
  );
}
