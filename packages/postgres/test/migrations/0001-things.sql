-- A table that exists only if the migration has run.
create table migrated_things (id int primary key);
