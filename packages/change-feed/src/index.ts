// The public interface of @tradepost/change-feed.
export { type ChangeFeed, startChangeFeed } from "./change-feed.ts";
export { type FeedQuery, feedQuery } from "./feed-query.ts";
export { type RecordedRestore, readRestoreState, recordRestore } from "./record-restore.ts";
