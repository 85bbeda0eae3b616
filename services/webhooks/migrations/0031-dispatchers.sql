-- The running processes of the service. Each has an equal share of the requests a second at a host. Processes of the previous
-- release know no such limit and are not in the table.
-- works with: 0.2.0

create table dispatchers (
  id uuid primary key,
  seen_at timestamptz not null
);
grant select, insert, update, delete on dispatchers to tradepost_webhooks;
