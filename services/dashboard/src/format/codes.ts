// The currencies and countries of the world with their English names, as the browser knows them. Pure.

export const currencies = once(() => {
  const names = new Intl.DisplayNames("en", { type: "currency" });
  return Intl.supportedValuesOf("currency").map((code) => ({ code, name: names.of(code) ?? code }));
});

export const countries = once(() => {
  const names = new Intl.DisplayNames("en", { type: "region", fallback: "none" });
  const found = pairsOfLetters().flatMap((code) => {
    // A former country has the code of its successor.
    const isCurrent = new Intl.Locale(`und-${code}`).region === code && !NOT_COUNTRIES.has(code);
    const name = isCurrent ? names.of(code) : undefined;
    return name === undefined ? [] : [{ code, name }];
  });
  return found.toSorted((a, b) => a.name.localeCompare(b.name, "en"));
});

/** `Portugal` for `PT`; undefined for any other text. */
export function countryName(code: string): string | undefined {
  return countries().find((country) => country.code === code)?.name;
}

/** `DE` for a name of Germany in the languages of imports, and for its code. */
export function countryCode(text: string): string | undefined {
  return codesByName().get(text.trim().toLowerCase());
}

const codesByName = once(() => {
  const names = ["en", "de", "fr", "es", "it"].map(
    (language) => new Intl.DisplayNames(language, { type: "region" }),
  );
  return new Map(
    countries().flatMap(({ code }) =>
      [code, ...names.map((language) => language.of(code) ?? code)].map((name) => [name.toLowerCase(), code]),
    ),
  );
});

// Groups of countries, islands without a code in ISO 3166, and codes for tests.
const NOT_COUNTRIES: ReadonlySet<string> = new Set("AC CP CQ DG EA EU EZ IC QO TA UN XA XB ZZ".split(" "));

function pairsOfLetters(): string[] {
  const letters = [..."ABCDEFGHIJKLMNOPQRSTUVWXYZ"];
  return letters.flatMap((first) => letters.map((second) => first + second));
}

function once<Value>(compute: () => Value): () => Value {
  let value: Value | undefined;
  return () => {
    value ??= compute();
    return value;
  };
}
