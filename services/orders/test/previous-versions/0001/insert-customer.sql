insert into "customers" ("tenant_id", "id", "name", "email", "phone", "external_id", "metadata") values ($1, $2, $3, $4, $5, $6, $7) returning *
