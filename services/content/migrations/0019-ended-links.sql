-- How often the links to an asset were ended. A link is valid while this is the number that it was signed with. The previous
-- release ignores the column: it serves ended links, and does not find a link made after others were ended.
-- works with: 0.2.0

alter table media add column links_ended_count integer not null default 0;
