import { useNavigate, useParams } from "@tanstack/react-router";
import { useState } from "react";
import { useIsAllowed } from "../../data/me.ts";
import { useChange, useRead } from "../../data/operations.ts";
import { number } from "../../format/shop.ts";
import { size } from "../../format/words.ts";
import { Button } from "../../ui/button.tsx";
import { ChangeDialog, DialogButton } from "../../ui/change-dialogs.tsx";
import { CodeBlock, CopiedId } from "../../ui/code.tsx";
import { SelectField, TextField } from "../../ui/field.tsx";
import { Form } from "../../ui/form.tsx";
import { ReadView } from "../../ui/list.tsx";
import { ErrorNote, Note } from "../../ui/note.tsx";
import { BehindTheScreen, Facts, Screen, Section } from "../../ui/screen.tsx";
import { ExactTime, Time } from "../../ui/value.tsx";
import { isOpen, type Media, type MediaVariant, Status, usePicture } from "./door.tsx";
import { DeleteMedia, UsedIn } from "./used-in.tsx";
import "./media.css";

// Smaller sizes are shown in bytes anyway.
const ROUNDED_BYTES = 1_000;
const LIVE_MS = 2_000;

export default function Medium() {
  const { mediaId } = useParams({ from: "/app/media/$mediaId" });
  const navigate = useNavigate();
  const input = { path: { id: mediaId } };
  const read = useRead("getMedia", input, { everyMs: (media) => isOpen(media) && LIVE_MS });
  const mayChange = useIsAllowed({ role: "editor" });
  const [isDeleting, setDeleting] = useState(false);
  return (
    <Screen
      title={read.data?.filename ?? "File"}
      action={mayChange && read.data && <Button text="Delete" onClick={() => setDeleting(true)} />}
    >
      <ReadView read={read}>
        {(media) => (
          <>
            {media.status === "failed" && (
              <Note
                tone="danger"
                title="This image could not be resized"
                text={`${media.failureReason ?? "The reason is not known."} The file itself is kept.`}
              />
            )}
            <div className="columns">
              <div className="column">
                <Preview media={media} />
                <UsedIn id={media.id} />
                {mayChange && <LinkForm media={media} />}
              </div>
              <MediaFacts media={media} mayChange={mayChange} />
            </div>
            {isDeleting && (
              <DeleteMedia
                files={[media]}
                onClose={(doneCount) => {
                  setDeleting(false);
                  if (doneCount > 0) void navigate({ to: "/media" });
                }}
              />
            )}
          </>
        )}
      </ReadView>
      <BehindTheScreen operation="getMedia" input={input} />
    </Screen>
  );
}

function Preview({ media: { id, filename, altText, variants } }: { readonly media: Media }) {
  // The smallest variant that fills the space, if there is one.
  const variant = (["medium", "large", "thumbnail"] as const).find((wanted) =>
    variants.some(({ name }) => name === wanted),
  );
  const address = usePicture(id, { variant: variant ?? "medium", isWanted: variant !== undefined });
  if (variant === undefined) return null;
  return (
    <div className="preview">{address !== undefined && <img src={address} alt={altText ?? filename} />}</div>
  );
}

function MediaFacts({ media, mayChange }: { readonly media: Media; readonly mayChange: boolean }) {
  const { id, altText, contentType, sizeBytes, width, height, status, sha256, variants, createdAt } = media;
  return (
    <Facts
      label="This file"
      of={{
        Status: <Status status={status} />,
        "Alternative text": (
          <span className="row">
            {altText === null ? <span className="soft">None</span> : <bdi>{altText}</bdi>}
            <DialogButton text="Change" look="quiet" about="the alternative text" isOffered={mayChange}>
              <AltTextDialog media={media} />
            </DialogButton>
          </span>
        ),
        Type: <code>{contentType}</code>,
        Size: (
          <>
            {size(sizeBytes)}
            {sizeBytes >= ROUNDED_BYTES && <span className="soft"> ({number(sizeBytes)} bytes)</span>}
          </>
        ),
        Dimensions: width !== null && `${width} × ${height} pixels`,
        Versions: variants.length > 0 && (
          <ul className="tags">
            {variants.map(({ name, width: wide, height: high, sizeBytes: bytes }) => (
              <li key={name}>
                {name}: {wide} × {high}, {size(bytes)}
              </li>
            ))}
          </ul>
        ),
        Uploaded: <ExactTime at={createdAt} />,
        "Media id": <CopiedId id={id} what="file id" />,
        "SHA-256": <code>{sha256}</code>,
      }}
    />
  );
}

const ALT_TEXT_CHARACTERS_MAX = 500;

function AltTextDialog({ media }: { readonly media: Media }) {
  return (
    <ChangeDialog
      title="Alternative text"
      action="Save text"
      operation="updateMedia"
      input={(form) => {
        const altText = String(form.get("altText")).trim() || null;
        return altText === media.altText ? null : { path: { id: media.id }, body: { altText } };
      }}
      stale={["getMedia", "listMedia"]}
      done="The alternative text is saved."
    >
      <TextField
        label="What the image shows"
        hint="For people who do not see it, and for search engines."
        name="altText"
        maxLength={ALT_TEXT_CHARACTERS_MAX}
        defaultValue={media.altText ?? ""}
      />
    </ChangeDialog>
  );
}

const ORIGINAL = { value: "original", text: "Original" };
const VALID = [
  { value: 3_600, text: "An hour" },
  { value: 86_400, text: "A day" },
  { value: 604_800, text: "A week" },
];

function LinkForm({ media: { id, variants } }: { readonly media: Media }) {
  const [link, setLink] = useState<{ readonly url: string; readonly expiresAt: string } | null>(null);
  const make = useChange("createMediaLink", { onDone: setLink });
  const end = useChange("endMediaLinks", {
    done: "All links to this file are ended.",
    onDone: () => setLink(null),
  });
  const submit = (form: FormData) => {
    const variant = String(form.get("variant"));
    make.mutate({
      path: { id },
      body: {
        expiresInSeconds: Number(form.get("expiresInSeconds")),
        ...(variant !== ORIGINAL.value && { variant: variant as MediaVariant }),
      },
    });
  };
  return (
    <Section
      title="Share"
      intro="Whoever has the link sees the file, without a sign-in, until it expires or you end all links of this file."
    >
      <Form failure={make.error} onSubmit={submit}>
        {end.error && <ErrorNote failure={end.error} />}
        <div className="fields">
          <SelectField label="Version" name="variant" options={[ORIGINAL, ...variants.map(optionOf)]} />
          <SelectField label="Valid for" name="expiresInSeconds" options={VALID} />
        </div>
        <div className="row">
          <Button text="Make a link" type="submit" isBusy={make.isPending} />
          <Button text="End all links" isBusy={end.isPending} onClick={() => end.mutate({ path: { id } })} />
        </div>
      </Form>
      <div role="status">
        {link && (
          <>
            <CodeBlock text={new URL(link.url, location.origin).href} what="the link" />
            <p className="note-small">
              Expires <Time at={link.expiresAt} />.
            </p>
          </>
        )}
      </div>
    </Section>
  );
}

function optionOf({ name, width, height }: Media["variants"][number]) {
  return { value: name, text: `${name} (${width} × ${height})` };
}
