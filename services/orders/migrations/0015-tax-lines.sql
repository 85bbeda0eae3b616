-- The taxes of an order's line by name and rate. The lines are locked for a moment, however many there are. The previous release
-- continues to work: it shows the lines without them.
-- works with: 0.2.0

alter table order_lines add column tax_lines json;
