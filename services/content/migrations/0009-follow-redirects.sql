-- Makes creating a redirect one statement. A statement reads what was committed before it began, and here it first waits
-- for the tenant's lock, so it would not see what the lock's last holder wrote. Each query in a volatile function reads
-- what was committed before that query.

-- Locks the tenant's redirects until the transaction ends, then follows them from `start`. Returns 'goal' if they lead to
-- `goal`, 'too long' after more than `hops_max` redirects, or 'end'. `start` is null for a path on another site.
--
-- Its plan is made once per connection, perhaps while the table is empty, so it must not depend on the table's size.
create function follow_redirects(tenant uuid, start text, goal text, hops_max integer) returns text
language plpgsql volatile set enable_seqscan = off as $$
declare
  path text := start;
  hops integer := 0;
begin
  -- The same lock as in redirect-store.ts.
  perform pg_advisory_xact_lock(hashtextextended(tenant::text, 0));
  while path is not null loop
    if path = goal then
      return 'goal';
    elsif hops > hops_max then
      return 'too long';
    end if;
    path := (select to_path from redirects where tenant_id = tenant and from_path = path);
    hops := hops + 1;
  end loop;
  return 'end';
end
$$;

grant execute on function follow_redirects to tradepost_content;
