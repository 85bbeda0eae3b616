-- The trace of the request that caused an event, so that the log line of every attempt names it, even of a retry in another
-- process. Null for events of an earlier release.
-- works with: 0.2.0

alter table events add column traceparent text;
