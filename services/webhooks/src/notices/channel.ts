// The two ways to send notices have this form.

/** What is sent at once. The messages may have been tried different numbers of times. */
export interface Claimed {
  readonly tenantId: string;
  readonly messages: readonly { readonly id: string; readonly attempt: number }[];
}

export interface Channel<Sent extends Claimed> {
  /** Claims at most `max` for `lockMs`, and none of the tenants `except`. */
  claim(max: number, except: readonly string[]): Promise<readonly Sent[]>;
  /** Returns whether it was accepted. */
  send(claimed: Sent): Promise<boolean>;
}
