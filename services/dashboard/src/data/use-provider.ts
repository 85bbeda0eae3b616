// The OIDC provider at which staff may sign in, if the operator has set one (interface §25).
import { useQuery } from "@tanstack/react-query";
import type { DataOf } from "@tradepost/client/operations";
import type { Failure } from "../api/failure.ts";
import { type Reply, send } from "../api/send.ts";

/** The name if the operator has removed the provider. */
const SOME_PROVIDER = "your provider";

/** Needs no session. `isOffered` is undefined until it is known. */
export function useProvider(): { readonly isOffered: boolean | undefined; readonly name: string } {
  const { data, isError } = useQuery<Reply<DataOf<"getSignInMethods">>, Failure>({
    queryKey: ["getSignInMethods", {}],
    queryFn: ({ signal }) => send("getSignInMethods", {}, { signal }),
  });
  const oidc = data?.data.oidc;
  return {
    isOffered: data === undefined && !isError ? undefined : !!oidc,
    name: oidc?.name ?? SOME_PROVIDER,
  };
}
