// The headers and the body of an attempt, signed: the same for an attempt that is sent and for one that is leased. Pure.
import { bodyOf, headersOf, type RequestFacts } from "./request.ts";
import { type SigningKeys, signatureHeaders } from "./signature.ts";

export interface SignedRequest {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

interface Signing {
  readonly keys: SigningKeys;
  /** Of the secret before a rotation, during its overlap. */
  readonly previousKeys?: SigningKeys | undefined;
  /** The subscription's own headers by name. */
  readonly ownHeaders?: Readonly<Record<string, string>>;
}

/** `at` is when the attempt begins. */
export function signedRequest(
  facts: RequestFacts,
  at: Date,
  { keys, previousKeys, ownHeaders = {} }: Signing,
): SignedRequest {
  const body = Buffer.from(bodyOf(facts, at));
  return {
    headers: {
      ...headersOf(facts),
      ...ownHeaders,
      ...signatureHeaders(keys, facts.deliveryId, at, body, previousKeys),
    },
    body,
  };
}
