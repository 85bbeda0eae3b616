-- What the log of requests says of a refusal, and of the events that a request caused (interface §19). The previous release writes null.
-- works with: 1.0.0

-- `{message, paths}` or `{caused}`, of at most 1 KiB, or null.
alter table requests add column outcome json;
