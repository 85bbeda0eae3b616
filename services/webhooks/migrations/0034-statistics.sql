-- Attempts by their time and subscription, for the statistics (interface §19). The index has one entry for 16 pages, because
-- attempts are written in the order of their time; filling it reads the attempts. The previous release continues to work: the
-- statistics of a subscription leave out the attempts that it makes, and those from before this migration.
-- works with: 0.2.0

alter table attempts add column subscription_id uuid;
create index on attempts using brin (at) with (pages_per_range = 16, autosummarize = on);
