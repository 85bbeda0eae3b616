-- A table, to see that the migration ran.
create table migrated_things (id int primary key);
