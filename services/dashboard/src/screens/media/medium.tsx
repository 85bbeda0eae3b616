// One file: its picture, its versions, and links to share.

import { useNavigate, useParams } from "@tanstack/react-router";
import { useState } from "react";
import { useIsAllowed } from "../../data/me.ts";
import { usePicture } from "../../data/use-picture.ts";
import { useRead } from "../../data/use-read.ts";
import { size } from "../../format/size.ts";
import { BehindTheScreen } from "../../ui/behind-the-screen.tsx";
import { Button } from "../../ui/button.tsx";
import { Confirm } from "../../ui/confirm.tsx";
import { Fact, Facts } from "../../ui/facts.tsx";
import { CopiedId } from "../../ui/id.tsx";
import { Note } from "../../ui/note.tsx";
import { Screen } from "../../ui/screen.tsx";
import { ExactTime } from "../../ui/time.tsx";
import { ReadView } from "../../ui/views.tsx";
import { LinkForm } from "./link-form.tsx";
import { isOpen, type Media, Status } from "./status.tsx";
import "./medium.css";

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
      action={mayChange && read.data && <Button onClick={() => setDeleting(true)}>Delete</Button>}
    >
      <ReadView read={read}>
        {(media) => (
          <>
            {media.status === "failed" && (
              <Note tone="danger" title="This image could not be resized">
                <p>{media.failureReason ?? "The reason is not known."} The file itself is kept.</p>
              </Note>
            )}
            <div className="columns">
              <div className="column">
                <Preview media={media} />
                {mayChange && <LinkForm media={media} />}
              </div>
              <MediaFacts media={media} />
            </div>
            {isDeleting && (
              <Confirm
                title="Delete this file?"
                action="Delete file"
                operation="deleteMedia"
                input={input}
                stale={["listMedia"]}
                done={`${media.filename} is deleted.`}
                onDone={() => navigate({ to: "/media" })}
                onClose={() => setDeleting(false)}
              >
                <p>
                  <strong>{media.filename}</strong> and its versions are gone at once, and links to them no
                  longer work. Entries that use it keep its id, but show nothing. This cannot be undone.
                </p>
              </Confirm>
            )}
          </>
        )}
      </ReadView>
      <BehindTheScreen operation="getMedia" input={input} />
    </Screen>
  );
}

function Preview({ media: { id, filename, variants } }: { readonly media: Media }) {
  // The smallest variant that fills the space, if there is one.
  const variant = (["medium", "large", "thumbnail"] as const).find((wanted) =>
    variants.some(({ name }) => name === wanted),
  );
  const address = usePicture(id, { variant: variant ?? "medium", isWanted: variant !== undefined });
  if (variant === undefined) return null;
  return <div className="preview">{address !== undefined && <img src={address} alt={filename} />}</div>;
}

function MediaFacts({ media }: { readonly media: Media }) {
  const { id, contentType, sizeBytes, width, height, status, sha256, variants, createdAt } = media;
  return (
    <Facts label="This file">
      <Fact name="Status">
        <Status status={status} />
      </Fact>
      <Fact name="Type">
        <code>{contentType}</code>
      </Fact>
      <Fact name="Size">
        {size(sizeBytes)}
        {sizeBytes >= ROUNDED_BYTES && (
          <span className="soft"> ({sizeBytes.toLocaleString("en")} bytes)</span>
        )}
      </Fact>
      {width !== null && (
        <Fact name="Dimensions">
          {width} × {height} pixels
        </Fact>
      )}
      {variants.length > 0 && (
        <Fact name="Versions">
          <ul className="tags">
            {variants.map(({ name, width: wide, height: high, sizeBytes: bytes }) => (
              <li key={name}>
                {name}: {wide} × {high}, {size(bytes)}
              </li>
            ))}
          </ul>
        </Fact>
      )}
      <Fact name="Uploaded">
        <ExactTime at={createdAt} />
      </Fact>
      <Fact name="Media id">
        <CopiedId id={id} what="file id" />
      </Fact>
      <Fact name="SHA-256">
        <code>{sha256}</code>
      </Fact>
    </Facts>
  );
}
