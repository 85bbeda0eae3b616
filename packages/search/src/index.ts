export { COUNT_FIELDS, COUNT_MAX, count, countRows } from "./count-rows.ts";
export { readExportPage } from "./export-page.ts";
export { hasWords, search } from "./search-field.ts";
export { type SearchedWord, searchTextOf, wordsOf, wordsOfSearch } from "./search-words.ts";
