-- The customers that were erased, each as the SHA-256 of its tenant's id and its own id, which identifies nobody. Two databases
-- have this list: if a restore of one undoes an erasure, the other still knows of it.
create table erased_customers (
  customer_digest bytea primary key check (length(customer_digest) = 32),
  erased_at timestamptz(3) not null default now()
);
