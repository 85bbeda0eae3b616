#!/bin/sh
# Creates a service's roles with create-roles.sql. docker-compose.yml runs it when it creates a database. Run it again for
# a database that an earlier version created, and after a change of passwords:
#   docker compose exec orders-database sh /docker-entrypoint-initdb.d/create-roles.sh
# Elsewhere, set POSTGRES_DB, SERVICE, OWNER, OWNER_PASSWORD, LOGIN, LOGIN_PASSWORD and CREATE_ROLES_DIR (where
# create-roles.sql is), and what psql needs to connect as a superuser.
set -e
SERVICE="${SERVICE:-$POSTGRES_DB}"
psql --no-psqlrc --quiet --set=ON_ERROR_STOP=1 --username="${POSTGRES_USER:-postgres}" --dbname="$POSTGRES_DB" \
  --set=service="$SERVICE" --set=owner="${OWNER:-$SERVICE}" \
  --set=owner_password="${OWNER_PASSWORD:-${POSTGRES_PASSWORD:?set OWNER_PASSWORD}}" \
  --set=login="${LOGIN:-${SERVICE}_login}" --set=login_password="${LOGIN_PASSWORD:?set LOGIN_PASSWORD}" \
  --set=directory="${CREATE_ROLES_DIR:-/usr/local/share/tradepost}" <<'SQL'
\o /dev/null
select set_config('tradepost.service', :'service', false),
       set_config('tradepost.owner', :'owner', false),
       set_config('tradepost.owner_password', :'owner_password', false),
       set_config('tradepost.login', :'login', false),
       set_config('tradepost.login_password', :'login_password', false);
\o
\cd :directory
\i create-roles.sql
SQL
# The image's own server. Without a password, only a shell in the container reaches the superuser.
if [ -n "${POSTGRES_PASSWORD:-}" ]; then
  psql --no-psqlrc --quiet --set=ON_ERROR_STOP=1 --username="${POSTGRES_USER:-postgres}" --dbname="$POSTGRES_DB" \
    --command='alter role current_user password null' \
    --command='revoke all on database postgres, template1 from public'
fi
