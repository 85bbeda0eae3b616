// The edited texts of a form, and how they differ from what is saved meanwhile. Pure.

type Values = Readonly<Record<string, unknown>>;

/** Returns only the edited texts, so that a concurrent edit of another text is not overwritten. An emptied text is null. */
export function editedTexts(
  before: object,
  texts: Readonly<Record<string, string>>,
): Record<string, string | null> {
  const given = Object.entries(texts).map(
    ([name, text]) => [name, text.trim() === "" ? null : text] as const,
  );
  return Object.fromEntries(given.filter(([name, text]) => text !== ((before as Values)[name] ?? null)));
}

/** The values of a change next to the values that are saved now. */
export function differencesOf(
  fields: readonly { readonly name: string; readonly label: string }[],
  change: object,
  now: object,
  shown: (value: unknown) => string = String,
) {
  const text = (value: unknown) => (value == null ? "None" : shown(value));
  return fields.flatMap(({ name, label }) => {
    const yours = (change as Values)[name];
    return yours === undefined
      ? []
      : [{ field: label, yours: text(yours), now: text((now as Values)[name]) }];
  });
}
