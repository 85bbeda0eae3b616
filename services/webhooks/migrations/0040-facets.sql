-- What filters look at, stored with each event, so that a preview does not parse its data. Null for an event of an earlier release: its
-- data is parsed. The previous release continues to work: it does not write the column.
-- works with: 0.2.0

alter table events add column facets json;
