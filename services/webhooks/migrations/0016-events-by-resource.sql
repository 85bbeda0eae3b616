-- The API lists events: by resource, without the examples that admins sent as tests. Filling the columns rewrites the events and
-- locks them for about 10 seconds per million. The previous version continues to work; the resource of an event that it receives
-- is unknown.

alter table events
  add column resource_id uuid,
  add column is_test boolean not null default false;

update events
   set is_test = data::text like '%,"test":true}',
       resource_id = case when data::text not like '%,"test":true}' then
         substring(data::text from '^\{"[a-zA-Z]+":\{"id":"([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})"')::uuid end;

-- The resource first: an index that begins with tenant_id could be chosen for a lookup by tenant and id while the table is empty.
create index on events (resource_id, tenant_id, id);
