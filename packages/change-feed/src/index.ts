export { type ChangeFeed, startChangeFeed } from "./change-feed.ts";
export { feedQuery } from "./feed-query.ts";
export { readRestoreState, recordRestore } from "./restores.ts";
