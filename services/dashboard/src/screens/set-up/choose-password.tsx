// The form of a setup link. Afterwards the user signs in, with the e-mail filled in.
import { useMutation } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import type { DataOf } from "@tradepost/client/operations";
import type { Failure } from "../../api/failure.ts";
import { fieldErrors } from "../../api/field-errors.ts";
import { type Reply, send } from "../../api/send.ts";
import { Button } from "../../ui/button.tsx";
import { ErrorNote } from "../../ui/error-note.tsx";
import { Form } from "../../ui/form.tsx";
import { NewPasswordField } from "../../ui/new-password-field.tsx";
import { Note } from "../../ui/note.tsx";

const UNAUTHORIZED = 401;

export function ChoosePassword({ token }: { readonly token: string }) {
  const navigate = useNavigate();
  const setUp = useMutation<Reply<DataOf<"setUpPassword">>, Failure, string>({
    mutationFn: (password) => send("setUpPassword", { body: { token, password } }),
    // The e-mail is passed in the state of the history, because it must not appear in an address.
    onSuccess: ({ data }) => navigate({ to: "/sign-in", replace: true, state: { email: data.email } }),
  });
  const errors = fieldErrors(setUp.error?.details ?? [], ["password"]);
  if (setUp.error?.status === UNAUTHORIZED) return <Ended />;
  return (
    <Form failure={setUp.error} onSubmit={(form) => setUp.mutate(String(form.get("password")))}>
      {setUp.error && <ErrorNote failure={setUp.error} details={errors.rest} />}
      <NewPasswordField name="password" error={errors.byField.password} />
      <Button type="submit" look="primary" isBusy={setUp.isPending}>
        {setUp.isPending ? "Saving…" : "Save the password"}
      </Button>
      <p className="note-small">Then you sign in with it. Sessions that you have elsewhere end.</p>
    </Form>
  );
}

function Ended() {
  return (
    <Note tone="danger" title="This link no longer works" isAlert>
      <p>
        It has been used, has expired after 24 hours, or was replaced by a newer one. Ask an admin of your
        shop for another.
      </p>
    </Note>
  );
}
