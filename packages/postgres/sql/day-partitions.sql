-- Tables partitioned by day, and the functions that create and drop their partitions. The service's role owns no table; it
-- may execute make_day and drop_day and change partitions in no other way.
create table day_tables (
  name text primary key,
  key_column text not null,
  key_type text not null check (key_type in ('timestamptz', 'date', 'uuid')),
  -- Younger days are never dropped.
  days_kept_min integer not null check (days_kept_min >= 1)
);

-- Returns the first key of a day as a literal. A UUID (version 7) contains its time. Days are UTC.
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

-- Creates the partition of a day, from yesterday to 7 days ahead, and moves that day's rows from the default partition
-- into it.
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

-- Drops the partition of a day that is old enough, and returns true. Rows whose keys are in the view <table>_still_needed,
-- if it exists, move to the default partition first. With more than 10,000 such rows it does nothing and returns false:
-- moving 10,000 locks the table for about 200 ms.
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
