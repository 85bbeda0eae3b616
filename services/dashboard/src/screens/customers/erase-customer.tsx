// Erases the personal data of a customer for good, once the user has typed the customer's name, and shows the progress.
import { useQueryClient } from "@tanstack/react-query";
import type { DataOf } from "@tradepost/client/operations";
import { useEffect, useState } from "react";
import { useIsAllowed } from "../../data/me.ts";
import { useChange, useRead } from "../../data/operations.ts";
import { number } from "../../format/shop.ts";
import { Button } from "../../ui/button.tsx";
import { FormDialog } from "../../ui/change-dialogs.tsx";
import { Dialog, DialogActions } from "../../ui/dialog.tsx";
import { TextField } from "../../ui/field.tsx";
import { ErrorNote, Note } from "../../ui/note.tsx";
import { Section } from "../../ui/screen.tsx";
import { ExactTime } from "../../ui/value.tsx";

interface EraseCustomerProps {
  readonly customer: DataOf<"getCustomer">;
}

export function EraseCustomer({ customer }: EraseCustomerProps) {
  const isAdmin = useIsAllowed({ role: "admin" });
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      {customer.erasedAt !== undefined && (
        <Note tone="info" title="This person was erased">
          <p>
            On <ExactTime at={customer.erasedAt} />. Their orders keep amounts, lines and dates, and can still
            be paid, refunded and shipped. Nothing about the person can be added.
          </p>
        </Note>
      )}
      {customer.erasedAt === undefined && isAdmin && (
        <Section title="Erase this person">
          <p className="soft">If they ask you to delete what you know about them. Their orders stay.</p>
          <div className="row">
            <Button text="Erase personal data" look="danger" onClick={() => setOpen(true)} />
          </div>
        </Section>
      )}
      {isOpen && <EraseDialog customer={customer} onClose={() => setOpen(false)} />}
    </>
  );
}

interface EraseDialogProps extends EraseCustomerProps {
  readonly onClose: () => void;
}

function EraseDialog({ customer, onClose }: EraseDialogProps) {
  // The customer is read again meanwhile, and loses the name.
  const [{ id, name }] = useState(customer);
  const [isOtherName, setOtherName] = useState(false);
  const erase = useChange("eraseCustomer", {
    stale: ["getCustomer", "listCustomers", "listOrders", "getOrder"],
  });
  if (erase.data !== undefined) return <Erasing erasureId={erase.data.data.id} onClose={onClose} />;
  const submit = (form: FormData) => {
    const isSame = String(form.get("typedName")).trim() === name.trim();
    setOtherName(!isSame);
    if (isSame) erase.mutate({ path: { id } });
  };
  return (
    <FormDialog
      title={`Erase “${name}”?`}
      action="Erase for good"
      look="danger"
      change={erase}
      onSubmit={submit}
      onClose={onClose}
    >
      <Note tone="danger" title="This cannot be undone" />
      <Consequences />
      <TextField
        label="Type the name to confirm"
        hint={name}
        error={isOtherName ? "This is another name." : undefined}
        name="typedName"
        spellCheck={false}
        required
      />
    </FormDialog>
  );
}

function Consequences() {
  return (
    <>
      <h3>What goes</h3>
      <ul>
        <li>Name, e-mail, phone, external id and metadata of the customer</li>
        <li>
          In all their orders: addresses (the country stays), notes, metadata, and the reasons of
          cancellations and refunds
        </li>
        <li>The same in timelines, change feeds and the search</li>
      </ul>
      <h3>What stays</h3>
      <ul>
        <li>The orders, with numbers, lines, amounts, payments and dates</li>
        <li>An entry of the audit log that says who erased them, and when</li>
      </ul>
      <p className="soft">
        Remove the person from the systems that send customers here, too. Backups are the operator’s.
      </p>
    </>
  );
}

const LIVE_MS = 500;

function Erasing({ erasureId, onClose }: { readonly erasureId: string; readonly onClose: () => void }) {
  const read = useRead(
    "getErasure",
    { path: { id: erasureId } },
    { everyMs: ({ status }) => (status === "finished" ? false : LIVE_MS) },
  );
  const isFinished = read.data?.status === "finished";
  const cache = useQueryClient();
  // Data that was read before may still show the person.
  useEffect(() => {
    if (isFinished) void cache.invalidateQueries();
  }, [isFinished, cache]);
  useEffect(() => () => cache.removeQueries({ type: "inactive" }), [cache]);
  return (
    <Dialog title={isFinished ? "The person is erased" : "Erasing …"} onClose={onClose}>
      {read.error && <ErrorNote failure={read.error} details={read.error.details} />}
      <p role="status">
        {isFinished ? "Finished. Records changed" : "It goes on if you close this. Changed so far"}:{" "}
        {number(read.data?.rows ?? 0)}.
      </p>
      <DialogActions>
        <Button text="Close" look="primary" onClick={onClose} />
      </DialogActions>
    </Dialog>
  );
}
