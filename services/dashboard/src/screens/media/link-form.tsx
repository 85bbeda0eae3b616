// Makes a link to the file that needs no sign-in and expires.
import { useState } from "react";
import { fieldErrors } from "../../api/field-errors.ts";
import { useChange } from "../../data/use-change.ts";
import type { MediaVariant } from "../../data/use-picture.ts";
import { Button } from "../../ui/button.tsx";
import { CodeBlock } from "../../ui/code.tsx";
import { ErrorNote } from "../../ui/error-note.tsx";
import { SelectField } from "../../ui/field.tsx";
import { Form } from "../../ui/form.tsx";
import { Section } from "../../ui/section.tsx";
import { Time } from "../../ui/time.tsx";
import { say } from "../../ui/toasts.tsx";
import type { Media } from "./status.tsx";

const ORIGINAL = { value: "original", text: "Original" };
const VALID = [
  { value: 3_600, text: "An hour" },
  { value: 86_400, text: "A day" },
  { value: 604_800, text: "A week" },
];

export function LinkForm({ media: { id, variants } }: { readonly media: Media }) {
  const [link, setLink] = useState<{ readonly url: string; readonly expiresAt: string } | null>(null);
  const make = useChange("createMediaLink", { stale: [], onDone: setLink });
  const end = useChange("endMediaLinks", {
    stale: [],
    onDone: () => {
      setLink(null);
      say("All links to this file are ended.");
    },
  });
  const submit = (form: FormData) => {
    const variant = String(form.get("variant"));
    make.mutate({
      path: { id },
      body: {
        expiresInSeconds: Number(form.get("seconds")),
        ...(variant !== ORIGINAL.value && { variant: variant as MediaVariant }),
      },
    });
  };
  const errors = fieldErrors(make.error?.details ?? [], ["variant", "expiresInSeconds"]);
  return (
    <Section
      title="Share"
      intro="Whoever has the link sees the file, without a sign-in, until it expires or you end all links of this file."
    >
      <Form failure={make.error} onSubmit={submit}>
        {make.error && <ErrorNote failure={make.error} details={errors.rest} />}
        {end.error && <ErrorNote failure={end.error} />}
        <div className="fields">
          <SelectField
            label="Version"
            name="variant"
            options={[ORIGINAL, ...variants.map(optionOf)]}
            error={errors.byField.variant}
          />
          <SelectField
            label="Valid for"
            name="seconds"
            options={VALID}
            error={errors.byField.expiresInSeconds}
          />
        </div>
        <div className="row">
          <Button type="submit" isBusy={make.isPending}>
            Make a link
          </Button>
          <Button isBusy={end.isPending} onClick={() => end.mutate({ path: { id } })}>
            End all links
          </Button>
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
