#!/bin/sh
# Runs once, when PostgreSQL starts with an empty volume: two databases, each with an owner of its own.
set -eu
for name in sluice n8n; do
  psql --set ON_ERROR_STOP=1 --set "name=$name" --set "password=$POSTGRES_PASSWORD" --username postgres <<'SQL'
CREATE ROLE :"name" LOGIN PASSWORD :'password';
CREATE DATABASE :"name" OWNER :"name" ENCODING 'UTF8' TEMPLATE template0;
REVOKE ALL ON DATABASE :"name" FROM PUBLIC;
SQL
done
