/** The settings that decide how a server behaves, for those who ask for none by name. */
export const relevant: readonly string[] = [
  'max_connections',
  'shared_buffers',
  'effective_cache_size',
  'work_mem',
  'maintenance_work_mem',
  'random_page_cost',
  'effective_io_concurrency',
  'max_wal_size',
  'checkpoint_timeout',
  'checkpoint_completion_target',
  'wal_level',
  'synchronous_commit',
  'autovacuum',
  'autovacuum_max_workers',
  'autovacuum_vacuum_scale_factor',
  'max_worker_processes',
  'max_parallel_workers_per_gather',
  'statement_timeout',
  'lock_timeout',
  'idle_in_transaction_session_timeout',
  'log_min_duration_statement',
  'shared_preload_libraries',
  'default_transaction_isolation',
  'server_encoding',
  'TimeZone',
];

const SECRET_NAME = /conninfo|passphrase|password|passwd|secret|token|credential|api_?key|private_?key/i;
const NOT_SECRET = new Set(['password_encryption']);
/** In commands and connection strings. */
const SECRET_PART =
  /(password|passwd|pwd|secret|token|(?:api|access|private)[_-]?key)([\w-]*\s*[=:]\s*)('[^']*'|"[^"]*"|[^\s&'"]+)/gi;
const URL_PASSWORD = /(\b[a-z][a-z0-9+.-]*:\/\/[^\s:@/]*:)[^\s@/]+@/gi;

/** The value without what could open a door. */
export function masked(name: string, value: string): string {
  if (value === '') return value;
  if (SECRET_NAME.test(name) && !NOT_SECRET.has(name)) return '(hidden)';
  return value.replaceAll(SECRET_PART, '$1$2(hidden)').replaceAll(URL_PASSWORD, '$1(hidden)@');
}

export interface Setting {
  readonly name: string;
  readonly value: string;
  readonly unit: string | null;
  readonly initial: string | null;
  readonly source: string;
  readonly needsRestart: boolean;
  readonly about: string;
}

const UNIT = /^(\d+)?(B|kB|MB|GB|TB|ms|s|min|h|d)$/;
const BYTES: ReadonlyMap<string, number> = new Map([
  ['B', 1],
  ['kB', 1024],
  ['MB', 1024 ** 2],
  ['GB', 1024 ** 3],
  ['TB', 1024 ** 4],
]);

/** `16384` of `8kB` is `128 MB`. Negative values and 0 mean something else than an amount. */
export function readable(value: string, unit: string | null): string {
  const parts = UNIT.exec(unit ?? '');
  const amount = Number(value);
  if (!parts || !Number.isFinite(amount)) return value;
  const [, times = '1', of = ''] = parts;
  if (amount <= 0) return value;
  const bytes = BYTES.get(of);
  const whole = amount * Number(times);
  if (bytes === undefined) return `${whole} ${of}`;
  const size = whole * bytes;
  const [name, per] = [...BYTES].findLast(([, one]) => size >= one && size % one === 0) ?? ['B', 1];
  return `${size / per} ${name}`;
}
