// Changes the user's own password.
import { useState } from "react";
import { fieldErrors } from "../../api/field-errors.ts";
import { useChange } from "../../data/use-change.ts";
import { Button } from "../../ui/button.tsx";
import { CurrentPasswordField } from "../../ui/current-password-field.tsx";
import { ErrorNote } from "../../ui/error-note.tsx";
import { Form } from "../../ui/form.tsx";
import { NewPasswordField } from "../../ui/new-password-field.tsx";
import { Section } from "../../ui/section.tsx";
import { say } from "../../ui/toasts.tsx";
import "./change-password.css";

export function ChangePassword() {
  // Each change gets a new form, so that the passwords do not stay on the page.
  const [changes, setChanges] = useState(0);
  return (
    <Section title="Password" intro="A new password ends all your other sessions.">
      <PasswordForm key={changes} onChanged={() => setChanges(changes + 1)} />
    </Section>
  );
}

function PasswordForm({ onChanged }: { readonly onChanged: () => void }) {
  const change = useChange("changeMyPassword", {
    stale: ["listMySessions"],
    onDone: ({ endedSessions }) => {
      say(`Your password is changed. ${textOf(endedSessions)}`);
      onChanged();
    },
  });
  const submit = (form: FormData) =>
    change.mutate({
      body: {
        currentPassword: String(form.get("currentPassword")),
        newPassword: String(form.get("newPassword")),
      },
    });
  const errors = fieldErrors(change.error?.details ?? [], ["currentPassword", "newPassword"]);
  return (
    <div className="change-password">
      <Form failure={change.error} onSubmit={submit}>
        {change.error && <ErrorNote failure={change.error} details={errors.rest} />}
        <CurrentPasswordField error={errors.byField.currentPassword} />
        <NewPasswordField name="newPassword" error={errors.byField.newPassword} />
        <div className="row">
          <Button type="submit" look="primary" isBusy={change.isPending}>
            Change password
          </Button>
        </div>
      </Form>
    </div>
  );
}

function textOf(endedSessions: number): string {
  if (endedSessions === 0) return "You had no other sessions.";
  return endedSessions === 1 ? "1 other session has ended." : `${endedSessions} other sessions have ended.`;
}
