-- The service logs in as a role that owns nothing and acts as the roles made before; the owner only migrates. A version
-- from before this file goes on working: it acts as the owner.

revoke create on schema public from public;
-- By it a service sees whether the migrations that it needs have run.
grant select on kysely_migration to tradepost_orders, tradepost_orders_worker;

-- Tables that are kept by day. The service, which owns nothing, has their partitions made and dropped by the two
-- functions below, and can do nothing else to them.
create table day_tables (
  name text primary key,
  key_column text not null,
  key_type text not null check (key_type in ('timestamptz', 'date', 'uuid')),
  -- A younger day is never dropped.
  days_kept_min integer not null check (days_kept_min >= 1)
);

-- The first key of a day, as a literal. A UUID's day is the one in it (version 7). Days are UTC.
create function first_key_of(key_type text, day date) returns text language sql immutable
set search_path = pg_catalog, pg_temp as $$
  select case key_type
    when 'timestamptz' then quote_literal(day || ' 00:00:00Z')
    when 'date' then quote_literal(day::text)
    when 'uuid' then quote_literal(
      regexp_replace(lpad(to_hex(extract(epoch from day)::bigint * 1000), 12, '0'), '^(.{8})(.{4})$', '\1-\2')
      || '-0000-0000-000000000000')
  end
$$;

-- Makes the partition of a day near today. Rows of that day that are in the default partition move into it.
create function make_day(of_table text, day date) returns boolean language plpgsql security definer
set search_path = pg_catalog, pg_temp as $$
declare
  kept public.day_tables;
  partition_name constant text := of_table || to_char(day, '_YYYYMMDD');
  first_key text;
  next_key text;
begin
  select * into strict kept from public.day_tables where name = of_table;
  if day not between (now() at time zone 'utc')::date - 1 and (now() at time zone 'utc')::date + 7 then
    raise exception 'the partition of % is not made today', day;
  end if;
  if to_regclass(format('public.%I', partition_name)) is not null then
    return true;
  end if;
  first_key := public.first_key_of(kept.key_type, day);
  next_key := public.first_key_of(kept.key_type, day + 1);
  execute format('lock table public.%I in access exclusive mode', of_table);
  execute format('create table public.%I (like public.%I including all excluding indexes)', partition_name, of_table);
  execute format(
    'with moved as (delete from public.%1$I where %2$I >= %3$s and %2$I < %4$s returning *)
     insert into public.%5$I select * from moved',
    of_table || '_other', kept.key_column, first_key, next_key, partition_name);
  execute format('alter table public.%I attach partition public.%I for values from (%s) to (%s)',
                 of_table, partition_name, first_key, next_key);
  return true;
end
$$;

-- Drops the partition of a day that is old enough. Rows that the view <table>_still_needed names, by columns of the table,
-- outlive it: they move to the default partition. Where there are more than 10,000, the day stays: they move while the table
-- is locked, which takes about 200 ms for so many. Returns whether the day is gone.
create function drop_day(of_table text, day date) returns boolean language plpgsql security definer
set search_path = pg_catalog, pg_temp as $$
declare
  kept public.day_tables;
  partition_name constant text := of_table || to_char(day, '_YYYYMMDD');
  needed constant regclass := to_regclass(format('public.%I', of_table || '_still_needed'));
  needed_columns text;
  survivor_count bigint;
begin
  select * into strict kept from public.day_tables where name = of_table;
  if day >= (now() at time zone 'utc')::date - kept.days_kept_min then
    raise exception 'the partition of % is too young to be dropped', day;
  end if;
  if to_regclass(format('public.%I', partition_name)) is null then
    return true;
  end if;
  select string_agg(quote_ident(attname), ', ' order by attnum) into needed_columns
    from pg_attribute where attrelid = needed and attnum > 0 and not attisdropped;
  -- Looked for before the table is locked.
  execute format('create temporary table survivors on commit drop as select * from public.%I where %s limit 10001',
    partition_name,
    case when needed is null then 'false' else format('(%s) in (select * from %s)', needed_columns, needed) end);
  execute 'select count(*) from pg_temp.survivors' into survivor_count;
  if survivor_count > 10000 then
    drop table pg_temp.survivors;
    return false;
  end if;
  execute format('alter table public.%I detach partition public.%I', of_table, partition_name);
  execute format('insert into public.%I select * from pg_temp.survivors', of_table);
  execute format('drop table public.%I', partition_name);
  drop table pg_temp.survivors;
  return true;
end
$$;
revoke all on function make_day, drop_day from public;
grant execute on function make_day, drop_day to tradepost_orders_worker;

-- Events are published again for 7 days.
insert into day_tables values ('published_events', 'published_at', 'timestamptz', 7);
