type Env = Readonly<Record<string, string | undefined>>;

export interface EnvironmentOptions {
  /** Sluice's own environment. n8n inherits only what any program needs. */
  env: Env;
  data: string;
  port: number;
  brokerPort: number;
  encryptionKey: string;
  /** Use PostgreSQL instead of SQLite, with the DB_POSTGRESDB_* of `env`. */
  postgres: boolean;
  /** Variables that the user adds. They override all others. */
  extra: Readonly<Record<string, string>>;
  /** Sluice's hook file. n8n loads it at its start, besides those of the user. */
  hooks?: string | undefined;
}

const inherited =
  /^(PATH|HOME|USER|LOGNAME|SHELL|LANG|LC_ALL|TMPDIR|TZ|NODE_EXTRA_CA_CERTS|SSL_CERT_(FILE|DIR)|TOOLS_SHARED_PATH|(https?|no|all)_proxy)$/i;

/** Seconds that n8n gives executions to end when it is stopped. */
export const SHUTDOWN_SECONDS = 10;

/** Makes n8n listen on loopback only, call no outside service by itself, and keep all its files in one folder. */
export function n8nEnvironment(options: EnvironmentOptions): Record<string, string> {
  const { env, data, port, brokerPort, encryptionKey, postgres, extra, hooks } = options;
  const own: Record<string, string> = {};
  for (const [name, value] of Object.entries(env)) {
    if (value === undefined) continue;
    if (inherited.test(name) || (postgres && name.startsWith('DB_POSTGRESDB_'))) own[name] = value;
  }
  return {
    ...own,
    N8N_USER_FOLDER: data,
    N8N_PORT: String(port),
    N8N_LISTEN_ADDRESS: '127.0.0.1',
    N8N_ENCRYPTION_KEY: encryptionKey,
    N8N_SECURE_COOKIE: 'false',
    WEBHOOK_URL: `http://127.0.0.1:${port}/`,
    N8N_EDITOR_BASE_URL: `http://127.0.0.1:${port}/`,
    N8N_RUNNERS_BROKER_PORT: String(brokerPort),
    N8N_GRACEFUL_SHUTDOWN_TIMEOUT: String(SHUTDOWN_SECONDS),
    N8N_ENFORCE_SETTINGS_FILE_PERMISSIONS: 'true',
    DB_TYPE: postgres ? 'postgresdb' : 'sqlite',
    N8N_DIAGNOSTICS_ENABLED: 'false',
    N8N_VERSION_NOTIFICATIONS_ENABLED: 'false',
    N8N_TEMPLATES_ENABLED: 'false',
    N8N_PERSONALIZATION_ENABLED: 'false',
    N8N_DYNAMIC_BANNERS_ENABLED: 'false',
    N8N_COMMUNITY_PACKAGES_ENABLED: 'false',
    N8N_LICENSE_AUTO_RENEW_ENABLED: 'false',
    // mcp-registry calls its registry at every start. A local n8n has no use for the others.
    N8N_DISABLED_MODULES: 'mcp-registry,instance-ai,chat-hub,agents',
    N8N_LOG_FORMAT: 'text',
    NO_COLOR: '1',
    ...extra,
    ...(hooks !== undefined && { EXTERNAL_HOOK_FILES: hookFiles(hooks, extra) }),
  };
}

function hookFiles(
  ours: string,
  { EXTERNAL_HOOK_FILES: theirs, EXTERNAL_HOOK_FILES_SEPARATOR: between }: EnvironmentOptions['extra'],
) {
  return theirs ? `${theirs}${between || ':'}${ours}` : ours;
}
