// The destination to which notices are sent, in addition to this page; for admins.
import { useState } from "react";
import { useNoticeDestination } from "../../data/use-notice-destination.ts";
import { Button } from "../../ui/button.tsx";
import { Fact, Facts } from "../../ui/facts.tsx";
import { Section } from "../../ui/section.tsx";
import { say } from "../../ui/toasts.tsx";
import { ReadView } from "../../ui/views.tsx";
import { DeleteDestinationDialog } from "./delete-destination-dialog.tsx";
import { DestinationDialog } from "./destination-dialog.tsx";
import { EMPTY, kindsText, type Stored } from "./destination-draft.ts";
import { DestinationSecretDialog } from "./destination-secret-dialog.tsx";
import { RotateDestinationDialog } from "./rotate-destination-dialog.tsx";

type Open = "change" | "rotate" | "delete" | null;

export function Destination() {
  const read = useNoticeDestination();
  const [open, setOpen] = useState<Open>(null);
  const [secret, setSecret] = useState<string | null>(null);
  const close = () => setOpen(null);
  const stored = ({ signingSecret }: Stored) => {
    close();
    setSecret(signingSecret ?? null);
  };
  return (
    <Section
      title="Where notices are sent"
      intro="To a URL as signed requests, when a notice opens and when it closes; by e-mail, when it opens."
    >
      <ReadView read={read}>
        {(destination) => (
          <>
            {destination === null ? (
              <p>Nowhere: they are on this page only.</p>
            ) : (
              <DestinationFacts destination={destination} />
            )}
            <div className="row">
              <Button onClick={() => setOpen("change")}>
                {destination === null ? "Choose a destination" : "Edit destination"}
              </Button>
              {destination !== null && destination.url !== null && (
                <Button onClick={() => setOpen("rotate")}>Rotate secret</Button>
              )}
              {destination !== null && <Button onClick={() => setOpen("delete")}>Delete destination</Button>}
            </div>
            {open === "change" && (
              <DestinationDialog
                from={destination ?? EMPTY}
                onClose={close}
                onStored={(changed) => {
                  stored(changed);
                  say("Notices are sent there from now on.");
                }}
              />
            )}
            {open === "rotate" && destination !== null && (
              <RotateDestinationDialog destination={destination} onClose={close} onRotated={stored} />
            )}
            {open === "delete" && <DeleteDestinationDialog onClose={close} />}
          </>
        )}
      </ReadView>
      {secret !== null && <DestinationSecretDialog secret={secret} onStored={() => setSecret(null)} />}
    </Section>
  );
}

function DestinationFacts({ destination }: { readonly destination: Stored }) {
  const { url, emails, signingSecretPreview } = destination;
  return (
    <Facts label="Where notices are sent">
      <Fact name="URL">{url === null ? <span className="soft">None</span> : <code>{url}</code>}</Fact>
      <Fact name="E-mails">
        {emails.length === 0 ? <span className="soft">None</span> : emails.join(", ")}
      </Fact>
      <Fact name="Kinds">{kindsText(destination)}</Fact>
      {signingSecretPreview !== null && (
        <Fact name="Signing secret">
          <code>{signingSecretPreview}…</code>
        </Fact>
      )}
    </Facts>
  );
}
