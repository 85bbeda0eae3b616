-- The restores of this database from a backup, as `ops restored` records them. The first row identifies the database before any
-- restore. `database_identity()` shows whether a restore was not recorded.
create table restores (
  id bigint generated always as identity primary key,
  at timestamptz(3) not null default now(),
  -- The moment of the backup. Null if nothing that was committed is missing.
  restored_to timestamptz(3),
  -- Null if the database may not tell.
  identity text,
  -- New cursors of the change feed contain it. Random, because a restore to an earlier time removes this row, and the row that is
  -- recorded then must differ.
  incarnation text not null default substr(md5(gen_random_uuid()::text), 1, 8),
  -- The position of the newest event at that time. A cursor from before the restore that is past this position points to lost
  -- events.
  last_xid xid8 not null default '0',
  last_id bigint not null default 0
);

-- Differs after a recovery to a point in time or the promotion of a standby (the timeline), in a copy on another server
-- (the system's identifier), and in a copy on the same server (the database's oid).
create function database_identity() returns text language plpgsql stable
set search_path = pg_catalog, pg_temp as $$
begin
  return (select system_identifier from pg_control_system()) || '.'
         || substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8) || '.'
         || (select oid from pg_database where datname = current_database());
exception
  when insufficient_privilege or object_not_in_prerequisite_state then
    return null;
end
$$;

insert into restores (identity) values (database_identity());
