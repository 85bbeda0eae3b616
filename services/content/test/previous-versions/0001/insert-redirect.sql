insert into "redirects" ("tenant_id", "id", "from_path", "to_target", "to_path", "type") values ($1, $2, $3, $4, $5, $6) returning *
