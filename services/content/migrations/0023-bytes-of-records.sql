-- The service counts the recorded responses of requests that change nothing as bytes of events (interface §19). The previous release
-- continues to work.
-- works with: 0.2.0

grant insert, update on event_bytes to tradepost_content;
