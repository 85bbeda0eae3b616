-- The version of an entry, which callers name in If-Match. A trigger counts it, so that no statement can change an entry
-- without a new version, nor can the previous version of the service while both run.

alter table entries add column version integer not null default 1;

create function count_entry_version() returns trigger language plpgsql as $$
begin
  new.version := old.version + 1;
  return new;
end
$$;

-- When to try to publish is not part of what the API shows.
create trigger entries_version before update on entries for each row
  when ((old.revision, old.published_revision, old.published_at, old.publish_at, old.scheduled_revision,
         old.schedule_error, old.updated_at)
        is distinct from
        (new.revision, new.published_revision, new.published_at, new.publish_at, new.scheduled_revision,
         new.schedule_error, new.updated_at))
  execute function count_entry_version();
