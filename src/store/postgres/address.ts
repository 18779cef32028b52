import { readFileSync } from 'node:fs';
import { AppError } from '../../kernel/errors.ts';
import { fileTrouble } from '../../kernel/file-errors.ts';

/** Where the database is, as `postgres://user:password@host:port/database?sslmode=verify-full&sslrootcert=FILE` says it. */
export interface PostgresAddress {
  readonly host: string;
  readonly port: number;
  readonly database: string;
  readonly user: string;
  readonly password: string | undefined;
  readonly ssl: false | { ca?: string; cert?: string; key?: string; rejectUnauthorized: boolean; checkHost: boolean };
}

const modes = ['disable', 'require', 'verify-ca', 'verify-full'] as const;
const known: ReadonlySet<string> = new Set(['sslmode', 'sslrootcert', 'sslcert', 'sslkey']);

/** Reads a URL; what is wrong with it, as a sentence without a subject, if it is not one. */
export function readAddress(text: string): PostgresAddress | { problem: string; fix: string } {
  if (!URL.canParse(text))
    return { problem: 'is not a URL', fix: 'Write postgres://user:password@host:5432/database.' };
  const url = new URL(text);
  const database = decodeURIComponent(url.pathname.slice(1));
  if (url.hostname === '' || database === '' || url.username === '')
    return {
      problem: `names no ${url.hostname === '' ? 'host' : database === '' ? 'database' : 'user'}`,
      fix: 'Write postgres://user:password@host:5432/database.',
    };
  for (const name of url.searchParams.keys())
    if (!known.has(name))
      return { problem: `has an unknown parameter ${name}`, fix: `Known are ${[...known].join(', ')}.` };
  const mode = url.searchParams.get('sslmode') ?? 'disable';
  if (!modes.some((one) => one === mode))
    return { problem: `has an unknown sslmode ${mode}`, fix: `Use one of ${modes.join(', ')}.` };
  return {
    host: url.hostname.replace(/^\[(.*)\]$/, '$1'),
    port: url.port === '' ? 5432 : Number(url.port),
    database,
    user: decodeURIComponent(url.username),
    password: url.password === '' ? undefined : decodeURIComponent(url.password),
    ssl: mode === 'disable' ? false : certificates(mode, url.searchParams),
  };
}

/** As libpq does it: `require` encrypts without asking who answers, unless there is a root certificate. */
function certificates(mode: string, given: URLSearchParams): PostgresAddress['ssl'] {
  const read = (name: string) => {
    const file = given.get(name);
    if (file === null) return undefined;
    try {
      return readFileSync(file, 'utf8');
    } catch (error) {
      throw new AppError('invalid_input', `store: the ${name} ${file} ${fileTrouble(error)}.`, { cause: error });
    }
  };
  const ca = read('sslrootcert');
  const cert = read('sslcert');
  const key = read('sslkey');
  return {
    ...(ca !== undefined && { ca }),
    ...(cert !== undefined && { cert }),
    ...(key !== undefined && { key }),
    rejectUnauthorized: mode !== 'require' || ca !== undefined,
    checkHost: mode === 'verify-full',
  };
}

/** For people: without user and password. */
export const placeOf = ({ host, port, database }: Pick<PostgresAddress, 'host' | 'port' | 'database'>): string =>
  `${host.includes(':') ? `[${host}]` : host}:${port}/${database}`;
