-- How many bytes of events and media are kept for each tenant, for its quotas (interface §19). The previous release continues to
-- work, and its media are counted. Creating the trigger locks media against changes while it waits for open changes and reads the
-- media once.
-- works with: 0.2.0

-- include: @tradepost/messaging/sql/0007-event-bytes.sql

create table media_bytes (
  tenant_id uuid primary key,
  -- The size of the files and their variants.
  bytes bigint not null
);

create function bytes_of(size_bytes bigint, variants json) returns bigint language sql immutable as $$
  select size_bytes + coalesce((select sum((variant ->> 'sizeBytes')::bigint) from json_array_elements(variants) as variant), 0)
$$;

create function count_media_bytes() returns trigger language plpgsql as $$
declare
  was bigint := case when tg_op = 'INSERT' then 0 else bytes_of(old.size_bytes, old.variants) end;
  "is" bigint := case when tg_op = 'DELETE' then 0 else bytes_of(new.size_bytes, new.variants) end;
begin
  if "is" <> was then
    insert into media_bytes as counted (tenant_id, bytes)
    values (case when tg_op = 'DELETE' then old.tenant_id else new.tenant_id end, "is" - was)
    on conflict (tenant_id) do update set bytes = counted.bytes + excluded.bytes;
  end if;
  return null;
end
$$;
create trigger count_media_bytes after insert or update of size_bytes, variants or delete on media
  for each row execute function count_media_bytes();

insert into media_bytes (tenant_id, bytes) select tenant_id, sum(bytes_of(size_bytes, variants)) from media group by 1;

grant select on event_bytes to tradepost_content;
grant select, insert, update, delete on event_bytes to tradepost_content_worker;
grant select, insert, update on media_bytes to tradepost_content;
do $$
declare
  tenant_table text;
begin
  foreach tenant_table in array array['event_bytes', 'media_bytes'] loop
    execute format('alter table %I enable row level security, force row level security', tenant_table);
    execute format(
      $policy$create policy one_tenant on %I to tradepost_content
              using (tenant_id = nullif(current_setting('tradepost.tenant_id', true), '')::uuid)$policy$, tenant_table);
    execute format('create policy owner on %I to current_user using (true)', tenant_table);
  end loop;
end
$$;
create policy worker on event_bytes to tradepost_content_worker using (true);
