-- Search. `search_text` has the words of a row, each after a blank: a customer's name, e-mail address and phone; an order's number,
-- external id and tracking number. The tables of words find the rows that have a rare word. Both are made in TypeScript.
--
-- `search_version` is the row's version that the words belong to. Rows from before have none, and the previous release changes
-- rows without it. The service gives such rows their words in the background, some rows at a time: about 5 minutes per million
-- orders. Until then they are not found, or by their former words. Creating the two indexes, by which it finds them, locks orders
-- and customers against changes for about a second per million rows; requests wait meanwhile. The previous release continues to
-- work.
-- works with: 0.2.0

alter table customers add column search_text text, add column search_version integer;
alter table orders add column search_text text, add column search_version integer;
create index customers_without_words on customers (tenant_id) where search_version is distinct from version;
create index orders_without_words on orders (tenant_id) where search_version is distinct from version;

-- In the order of bytes, so that the words with a prefix are a range. Row-level security allows an index no other condition: LIKE and
-- @@ might disclose what they compare.
create table customer_words (
  tenant_id uuid not null,
  word text collate "C" not null,
  customer_id uuid not null,
  primary key (tenant_id, word, customer_id)
);
-- With the order's time, so that the newest orders are found without reading the others.
create table order_words (
  tenant_id uuid not null,
  word text collate "C" not null,
  created_at timestamptz(3) not null,
  order_id uuid not null,
  primary key (tenant_id, word, created_at, order_id)
);

grant select, insert, delete on customer_words, order_words to tradepost_orders;
grant update (search_text, search_version) on orders to tradepost_orders;

do $$
declare
  tenant_table text;
begin
  foreach tenant_table in array array['customer_words', 'order_words'] loop
    execute format('alter table %I enable row level security, force row level security', tenant_table);
    execute format(
      $policy$create policy one_tenant on %I to tradepost_orders
              using (tenant_id = nullif(current_setting('tradepost.tenant_id', true), '')::uuid)$policy$, tenant_table);
    execute format('create policy owner on %I to current_user using (true)', tenant_table);
  end loop;
end
$$;

-- The worker learns which tenant has rows without words, and nothing else about them.
create function tenant_without_words() returns uuid language sql stable security definer set search_path = public, pg_temp as $$
  select coalesce((select tenant_id from customers where search_version is distinct from version limit 1),
                  (select tenant_id from orders where search_version is distinct from version limit 1))
$$;
revoke execute on function tenant_without_words from public;
grant execute on function tenant_without_words to tradepost_orders_worker;
