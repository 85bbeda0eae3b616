insert into customers (tenant_id, id, name, email, phone, external_id, metadata) values ($1, $2, $3, $4, $5, $6, $7)
on conflict on constraint customers_external_id_key do nothing
returning created_at, updated_at
