select * from "redirects" where "tenant_id" = $1 and "from_path" = $2
