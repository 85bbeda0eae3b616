// The search parameters of the screen. Pure.

export interface StaffSearch {
  /** The form for a new person is open. */
  readonly add?: true;
}

export function staffSearch({ add }: Record<string, unknown>): StaffSearch {
  return add === true ? { add } : {};
}
