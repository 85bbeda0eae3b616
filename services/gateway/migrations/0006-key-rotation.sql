-- When a key was rotated, so that it is not rotated again while its overlap lasts. The previous version ignores the column.

alter table api_keys add column rotated_at timestamptz(3);
