-- The customers that were erased, each as the SHA-256 of its tenant's id and its own, which identify nobody. Two databases have this
-- list, so that the other one still knows of an erasure that a restore of one has undone.
create table erased_customers (
  customer_digest bytea primary key check (length(customer_digest) = 32),
  erased_at timestamptz(3) not null default now()
);
