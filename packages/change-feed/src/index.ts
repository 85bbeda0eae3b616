// The public interface of @tradepost/change-feed.
export { type ChangeFeed, startChangeFeed } from "./change-feed.ts";
export { type FeedQuery, feedQuery } from "./feed-query.ts";
