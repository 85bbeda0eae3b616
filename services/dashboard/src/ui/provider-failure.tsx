import { useProvider } from "../data/use-provider.ts";
import { EXPIRED_LINK, SIGN_IN_FAILURES, type SignInFailure } from "../format/sign-in-failures.ts";
import { Note } from "./note.tsx";

export function ProviderFailure({ failure }: { readonly failure: SignInFailure }) {
  const { isOffered, name } = useProvider();
  if (isOffered === undefined) return null;
  const [title, text] = isOffered || failure !== "expired" ? SIGN_IN_FAILURES[failure](name) : EXPIRED_LINK;
  return <Note tone="warning" title={title} isAlert text={text} />;
}
