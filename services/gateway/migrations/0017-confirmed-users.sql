-- When a user first signed in or set a password with a link. An e-mail belongs to the user who has confirmed it; until then each
-- tenant may have a user with it.
--
-- The previous release ignores the column. Its sign-in takes the first user with an e-mail, which by the index users_of_email is
-- the confirmed one, and it knows the index on tenant and e-mail by the name of the constraint that it replaces.
-- works with: 0.2.0

alter table users add column confirmed_at timestamptz(3);

-- Everyone who has signed in or set a password, and the owner who was created together with the tenant.
update users set confirmed_at = users.created_at
  from tenants
 where tenants.id = users.tenant_id
   and (users.created_at = tenants.created_at
        or exists (select from audit_log
                    where audit_log.tenant_id = users.tenant_id and target_id = users.id::text
                      and action in ('auth.login', 'auth.password_changed')));

alter table users drop constraint users_email_key;
create unique index users_email_key on users (tenant_id, email);
create unique index users_confirmed_email on users (email) where confirmed_at is not null;
create index users_of_email on users (email, confirmed_at, created_at, id);
