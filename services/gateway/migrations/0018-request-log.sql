-- The tenants' requests of the last days, and how many there were each day (interface §19). The previous release continues to
-- work; it writes neither.
-- works with: 0.2.0

create table requests (
  tenant_id uuid not null,
  id uuid not null,
  created_at timestamptz(3) not null,
  -- The X-Request-Id.
  request_id text not null,
  method text not null,
  route text not null,
  status smallint not null,
  code text,
  actor_type text not null,
  actor_id text not null,
  actor_name text not null,
  duration_ms integer not null,
  request_bytes bigint not null,
  response_bytes bigint not null,
  primary key (tenant_id, created_at, id)
) partition by range (created_at);
create table requests_other partition of requests default;
insert into day_tables values ('requests', 'created_at', 'timestamptz', 7);

create table request_days (
  tenant_id uuid not null,
  day date not null,
  count bigint not null,
  -- Requests with the status 429.
  refused bigint not null,
  primary key (tenant_id, day)
);

grant select, insert on requests to tradepost_gateway;
grant select, insert, update, delete on request_days to tradepost_gateway;
