// The page of a setup link: the user chooses a password, and is signed in with it. The token is in the fragment of the address, which
// no server sees, and is removed from the address as soon as it is read.
import { useMutation } from "@tanstack/react-query";
import { Link, useLocation, useNavigate } from "@tanstack/react-router";
import { useEffect, useState } from "react";
import type { Failure } from "../../api/failure.ts";
import { send } from "../../api/send.ts";
import { useRead } from "../../data/operations.ts";
import { resume, session, signIn, signOut, type UnfinishedSignIn } from "../../session/session.ts";
import { useStore } from "../../session/use-store.ts";
import { Button } from "../../ui/button.tsx";
import { Form } from "../../ui/form.tsx";
import { Note } from "../../ui/note.tsx";
import { NewPasswordField } from "../../ui/password-fields.tsx";
import { Alone } from "../../ui/screen.tsx";
import { SecondStep } from "./sign-in-form.tsx";

export default function SetUp() {
  const token = useTokenOfAddress();
  const navigate = useNavigate();
  const isSignedIn = useStore(session).status === "signed in";
  const choice = useChoice(token);
  const hasChosen = choice.isSuccess;
  useEffect(() => {
    if (hasChosen && isSignedIn) void navigate({ to: "/", replace: true });
  }, [hasChosen, isSignedIn, navigate]);
  useEffect(() => {
    // Without a connection the form is shown as if nobody were signed in, and then reports that there is no connection.
    resume().catch(() => undefined);
  }, []);
  if (choice.data) {
    const { email } = choice.data;
    const begin = () => navigate({ to: "/sign-in", replace: true, state: { email } });
    return <SecondStep unfinished={choice.data} onBegin={begin} />;
  }
  return (
    <Alone title="Choose a password">
      {token === "" ? (
        <NoLink />
      ) : isSignedIn && choice.isIdle ? (
        <SignedInAlready />
      ) : (
        <ChoosePassword choice={choice} />
      )}
    </Alone>
  );
}

/** Returns the token, even of a second link that is pasted into the same tab. */
function useTokenOfAddress(): string {
  const hash = useLocation({ select: (location) => location.hash });
  const navigate = useNavigate();
  const [token, setToken] = useState(hash);
  useEffect(() => {
    if (hash === "") return;
    setToken(hash);
    void navigate({ to: "/set-up", replace: true });
  }, [hash, navigate]);
  return token;
}

function NoLink() {
  return (
    <>
      <Note
        tone="warning"
        title="The link is incomplete"
        text="Open the whole link that you were given once more. If you do not have it, ask an admin of your shop for another."
      />
      <p>
        You have a password already? <Link to="/sign-in">Sign in</Link>
      </p>
    </>
  );
}

/** The link may belong to another user, which only its use would show. */
function SignedInAlready() {
  const me = useRead("getMe");
  const [failed, setFailed] = useState(false);
  const leave = () => signOut().catch(() => setFailed(true));
  return (
    <>
      <Note
        tone="info"
        title={me.data ? `You are signed in as ${me.data.actor.name}` : "You are signed in"}
        text="The link sets the password of the person it was made for, and does not say who that is. Sign out first, then choose the password."
      />
      {failed && <Note tone="danger" title="You are still signed in: Tradepost does not respond" isAlert />}
      <div className="row">
        <Button text="Sign out and go on" look="primary" onClick={leave} />
        <Link to="/account">Stay signed in, and keep the link for later</Link>
      </div>
    </>
  );
}

/** If the sign-in is refused, the sign-in page says why. */
function useChoice(token: string) {
  const navigate = useNavigate();
  return useMutation<UnfinishedSignIn | null, Failure, string>({
    mutationFn: async (password) => {
      const { email } = (await send("setUpPassword", { body: { token, password } })).data;
      return await signIn(email, password).catch(() => {
        // An e-mail must not appear in an address.
        void navigate({ to: "/sign-in", replace: true, state: { email } });
        return null;
      });
    },
  });
}

function ChoosePassword({ choice }: { readonly choice: ReturnType<typeof useChoice> }) {
  if (choice.error?.status === 401)
    return (
      <Note tone="danger" title="This link no longer works" isAlert>
        <p>
          It has been used, has expired after 24 hours, or was replaced by a newer one. Ask an admin of your
          shop for another.
        </p>
      </Note>
    );
  return (
    <Form failure={choice.error} onSubmit={(form) => choice.mutate(String(form.get("password")))}>
      <NewPasswordField name="password" />
      <Button text="Save the password" type="submit" look="primary" isBusy={choice.isPending} />
      <p className="note-small">You are then signed in. Sessions that you have elsewhere end.</p>
    </Form>
  );
}
