#!/bin/sh
# Writes .env beside compose.yaml: .env.example with new secrets, and with the databases that are named.
set -eu
root=$(cd "$(dirname "$0")/../.." && pwd)

usage() {
  echo "Usage: sh deploy/compose/new-env.sh [postgres] [valkey]" >&2
  exit 2
}

postgres= valkey=
for name in "$@"; do
  case $name in
    postgres) postgres=1 ;;
    # Its counts are for several replicas, and they need one database.
    valkey) postgres=1 valkey=1 ;;
    *) usage ;;
  esac
done

random() {
  od -An -N "$1" -tx1 /dev/urandom | tr -d ' \n'
}

set_to() {
  printf 's|^%s=.*|%s=%s|\n' "$1" "$1" "$2"
}

if [ -e "$root/.env" ]; then
  echo "$root/.env exists. Its keys open what is stored in the volumes, so it is not replaced." >&2
  exit 1
fi
umask 077
# sed reads the secrets from a pipe, so that no list of processes shows them.
{
  set_to MCP_AUTH_TOKEN "$(random 32)"
  # n8n wants a number and a capital letter.
  set_to N8N_OWNER_PASSWORD "N8n-$(random 16)"
  set_to N8N_ENCRYPTION_KEY "$(random 32)"
  set_to SLUICE_SECRET_KEY "$(random 32)"
  set_to POSTGRES_PASSWORD "$(random 24)"
  if [ -n "$postgres" ]; then
    set_to COMPOSE_PROFILES "postgres${valkey:+,valkey}"
    # Compose puts the password in.
    set_to SLUICE_STORE 'postgres://sluice:${POSTGRES_PASSWORD}@postgres:5432/sluice?sslmode=disable'
    set_to N8N_DB_TYPE postgresdb
  fi
  if [ -n "$valkey" ]; then set_to SLUICE_REDIS redis://valkey:6379; fi
} | sed -f /dev/stdin "$root/.env.example" > "$root/.env"
echo "Wrote $root/.env. Start with: docker compose up -d"
