    with recursive chain (path) as (
      select $1::text
      union
      select redirects.to_path from chain
        join redirects on redirects.tenant_id = $2 and redirects.from_path = chain.path
       where redirects.to_path is not null
    )
    select exists (select 1 from chain where path = $3) as found
