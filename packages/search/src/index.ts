export { readExportPage } from "./export-page.ts";
export { hasWords, type Search, search } from "./search-field.ts";
export { type SearchedWord, searchTextOf, wordsOf, wordsOfSearch } from "./search-words.ts";
