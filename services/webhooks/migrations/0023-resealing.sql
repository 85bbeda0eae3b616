-- Replacing the key that seals the secrets of subscriptions is not a change by their owners: their versions stay, so that a PATCH
-- with `If-Match` that was prepared before is not refused. The command that seals them again sets `tradepost.resealing` for its
-- statement.
-- works with: 0.2.0

create or replace function count_version() returns trigger language plpgsql as $$
begin
  if current_setting('tradepost.resealing', true) is distinct from 'on' then
    new.version := old.version + 1;
  end if;
  return new;
end
$$;
