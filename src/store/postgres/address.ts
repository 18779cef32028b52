import { readFileSync } from 'node:fs';
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

/** What is wrong, as a sentence without a subject, and what to do. */
export interface AddressProblem {
  problem: string;
  fix: string;
}

const FORM = 'Write postgres://user:password@host:5432/database.';
const modes = ['disable', 'require', 'verify-ca', 'verify-full'] as const;
const files = ['sslrootcert', 'sslcert', 'sslkey'] as const;
const known: ReadonlySet<string> = new Set(['sslmode', ...files]);

export function readAddress(text: string): PostgresAddress | AddressProblem {
  if (!URL.canParse(text)) return { problem: 'is not a URL', fix: FORM };
  const url = new URL(text);
  const decoded = [url.pathname.slice(1), url.username, url.password].map(decode);
  const [database, user, password] = decoded;
  if (database === undefined || user === undefined || password === undefined)
    return { problem: 'has a % that stands for nothing', fix: 'Write %25 for a % in a name or password.' };
  if (url.hostname === '' || database === '' || user === '')
    return { problem: `names no ${url.hostname === '' ? 'host' : database === '' ? 'database' : 'user'}`, fix: FORM };
  for (const name of url.searchParams.keys())
    if (!known.has(name))
      return { problem: `has an unknown parameter ${name}`, fix: `Known are ${[...known].join(', ')}.` };
  const ssl = encryption(url.searchParams);
  if (ssl && 'problem' in ssl) return ssl;
  return {
    host: url.hostname.replace(/^\[(.*)\]$/, '$1'),
    port: url.port === '' ? 5432 : Number(url.port),
    database,
    user,
    password: password === '' ? undefined : password,
    ssl,
  };
}

/** As libpq does it: `require` encrypts without asking who answers, unless there is a root certificate. */
function encryption(given: URLSearchParams): PostgresAddress['ssl'] | AddressProblem {
  const mode = given.get('sslmode') ?? 'disable';
  if (!modes.some((one) => one === mode))
    return { problem: `has an unknown sslmode ${mode}`, fix: `Use one of ${modes.join(', ')}.` };
  if (mode === 'disable') return false;
  const read = new Map<string, string>();
  for (const name of files) {
    const file = given.get(name);
    if (file === null) continue;
    try {
      read.set(name, readFileSync(file, 'utf8'));
    } catch (error) {
      return {
        problem: `names the ${name} ${file}, which ${fileTrouble(error)}`,
        fix: 'Give the path of a PEM file that this user can read.',
      };
    }
  }
  const [ca, cert, key] = files.map((name) => read.get(name));
  return {
    ...(ca !== undefined && { ca }),
    ...(cert !== undefined && { cert }),
    ...(key !== undefined && { key }),
    rejectUnauthorized: mode !== 'require' || ca !== undefined,
    checkHost: mode === 'verify-full',
  };
}

function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

/** For people: without user and password. */
export const placeOf = ({ host, port, database }: Pick<PostgresAddress, 'host' | 'port' | 'database'>): string =>
  `${host.includes(':') ? `[${host}]` : host}:${port}/${database}`;
