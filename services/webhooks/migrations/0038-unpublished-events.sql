-- Since when each service has an event that it has not published, according to its newest tally. The previous release continues to
-- work: its tallies do not say it.
-- works with: 0.2.0

alter table tallies add column unpublished_since timestamptz;
