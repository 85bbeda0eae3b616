// The search parameters of the screen. Pure.

export interface StaffSearch {
  readonly add?: true;
}

export function staffSearch({ add }: Record<string, unknown>): StaffSearch {
  return add === true ? { add } : {};
}
