delete from "redirects" where "tenant_id" = $1 and "id" = $2 returning *
