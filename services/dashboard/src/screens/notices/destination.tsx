import { useQuery } from "@tanstack/react-query";
import type { DataOf } from "@tradepost/client/operations";
import { useState } from "react";
import { Failure } from "../../api/failure.ts";
import { request } from "../../session/request.ts";
import { ChangeDialog, Confirm, DialogButton } from "../../ui/change-dialogs.tsx";
import { CodeBlock } from "../../ui/code.tsx";
import { ShownOnceDialog } from "../../ui/dialog.tsx";
import { AreaField, ChoiceField, TextField } from "../../ui/field.tsx";
import { ReadView } from "../../ui/list.tsx";
import { Facts, Section } from "../../ui/screen.tsx";
import {
  ALL_KINDS,
  bodyOf,
  type Draft,
  draftIn,
  EMPTY,
  kindsText,
  type Stored,
} from "./destination-draft.ts";
import { NOTICE_KINDS } from "./texts.ts";

export function Destination() {
  const read = useNoticeDestination();
  const [secret, setSecret] = useState<string | null>(null);
  const stored = ({ signingSecret }: Stored, close: () => void) => {
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
              <DialogButton text={destination === null ? "Choose a destination" : "Edit destination"}>
                <DestinationDialog from={destination ?? EMPTY} onStored={stored} />
              </DialogButton>
              {destination && <RotateSecret destination={destination} onStored={stored} />}
              <DialogButton text="Delete destination" isOffered={destination !== null}>
                <Confirm
                  title="Stop sending notices?"
                  action="Delete destination"
                  operation="deleteNoticeDestination"
                  input={{}}
                  stale={["getNoticeDestination"]}
                  done="Notices are not sent any more."
                  text="What is still to be sent is dropped. The notices stay on this page."
                />
              </DialogButton>
            </div>
          </>
        )}
      </ReadView>
      {secret !== null && (
        <ShownOnceDialog
          title="The secret that signs notices"
          secret={<CodeBlock text={secret} what="the secret" />}
          now={["Store it now", "Tradepost does not show it again. If it is lost, rotate it."]}
          onDone={() => setSecret(null)}
        >
          <p>
            Each request is signed with it, as the deliveries of a subscription are. Any{" "}
            <a href="https://www.standardwebhooks.com" target="_blank" rel="noopener">
              Standard Webhooks
            </a>{" "}
            library verifies it.
          </p>
        </ShownOnceDialog>
      )}
    </Section>
  );
}

type OnStored = (stored: Stored, close: () => void) => void;

interface RotateSecretProps {
  readonly destination: Stored;
  readonly onStored: OnStored;
}

function RotateSecret({ destination, onStored }: RotateSecretProps) {
  return (
    <DialogButton text="Rotate secret" isOffered={destination.url !== null}>
      <Confirm
        title="Rotate the secret that signs notices?"
        action="Rotate secret"
        operation="putNoticeDestination"
        input={{ body: bodyOf(destination, true) }}
        stale={["getNoticeDestination"]}
        onDone={onStored}
        text="You get a new secret, which is shown once. The current one ends at once."
      />
    </DialogButton>
  );
}

function DestinationFacts({ destination }: { readonly destination: Stored }) {
  const { url, emails, signingSecretPreview } = destination;
  return (
    <Facts
      label="Where notices are sent"
      of={{
        URL: url === null ? <span className="soft">None</span> : <code>{url}</code>,
        "E-mails": emails.length === 0 ? <span className="soft">None</span> : emails.join(", "),
        Kinds: kindsText(destination),
        "Signing secret": signingSecretPreview && <code>{signingSecretPreview}…</code>,
      }}
    />
  );
}

const URL_CHARACTERS_MAX = 2_048;

function DestinationDialog({ from, onStored }: { readonly from: Draft; readonly onStored: OnStored }) {
  // The form keeps the values with which it was opened, even if the stored ones change.
  const [{ url, emails, kinds }] = useState(from);
  return (
    <ChangeDialog
      title="Where notices are sent"
      action="Save"
      operation="putNoticeDestination"
      input={(form) => ({ body: bodyOf(draftIn(form)) })}
      stale={["getNoticeDestination"]}
      done="Notices are sent there from now on."
      onDone={onStored}
    >
      <TextField
        label="URL"
        hint="It gets signed requests, as a subscription does."
        name="url"
        type="url"
        maxLength={URL_CHARACTERS_MAX}
        defaultValue={url ?? ""}
        placeholder="https://example.com/notices"
        spellCheck={false}
      />
      <AreaField
        label="E-mails"
        hint="Up to 10 addresses, one on each line."
        name="emails"
        defaultValue={emails.join("\n")}
        spellCheck={false}
      />
      <ChoiceField
        label="Kinds"
        type="checkbox"
        name="kinds"
        options={ALL_KINDS.map((kind) => ({
          value: kind,
          text: NOTICE_KINDS[kind].text,
          isChosen: kinds === null || kinds.includes(kind),
        }))}
      />
    </ChangeDialog>
  );
}

const NOT_FOUND = 404;

/** A missing destination is null instead of an error, so that it stays on the screen while it is read again. */
function useNoticeDestination() {
  return useQuery<DataOf<"getNoticeDestination"> | null, Failure>({
    queryKey: ["getNoticeDestination"],
    queryFn: async ({ signal }) => {
      try {
        return (await request("getNoticeDestination", {}, { signal })).data;
      } catch (error) {
        if (error instanceof Failure && error.status === NOT_FOUND) return null;
        throw error;
      }
    },
  });
}
