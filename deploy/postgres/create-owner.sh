#!/bin/sh
# Runs once, when a database of docker-compose.yml is first made: gives it an owner that is no superuser, named after
# it, and takes the superuser's password away. Migrations may make roles and grant them to the owner. The superuser
# remains for whoever has a shell in the container: docker compose exec <service>-database psql --username postgres
psql --no-psqlrc --quiet --set=ON_ERROR_STOP=1 --username="$POSTGRES_USER" --dbname="$POSTGRES_DB" \
  --set=owner="$POSTGRES_DB" --set=superuser="$POSTGRES_USER" --set=password="$POSTGRES_PASSWORD" <<'SQL'
create role :"owner" login createrole password :'password';
alter role :"owner" set createrole_self_grant = 'set, inherit';
alter database :"owner" owner to :"owner";
alter role :"superuser" password null;
SQL
