import type { Address } from '../module.ts';

const DEFAULT_PORT = 27017;

/** The parts of a connection string. It may name several hosts, so it is not always a URL. */
export interface MongoUrl {
  readonly isSrv: boolean;
  readonly password?: string;
  readonly hosts: readonly string[];
  /** The database it names. */
  readonly database?: string;
}

/** Undefined if the text is not a connection string. */
export function readUrl(text: string): MongoUrl | undefined {
  const scheme = /^mongodb(\+srv)?:\/\//.exec(text);
  if (!scheme) return undefined;
  const rest = text.slice(scheme[0].length);
  const end = rest.search(/[/?]/);
  const authority = end === -1 ? rest : rest.slice(0, end);
  const path = end === -1 || rest[end] === '?' ? '' : (rest.slice(end + 1).split('?')[0] as string);
  const at = authority.lastIndexOf('@');
  const credentials = authority.slice(0, Math.max(0, at));
  const hosts = authority.slice(at + 1).split(',');
  if (hosts.some((host) => host === '' || /\s/.test(host))) return undefined;
  const colon = credentials.indexOf(':');
  return {
    isSrv: scheme[1] !== undefined,
    hosts,
    ...(colon !== -1 && { password: credentials.slice(colon + 1) }),
    ...(path !== '' && { database: decoded(path) }),
  };
}

/** Where the server is. Members of a replica set and names that DNS resolves to members are only shown. */
export function addressIn(text: string): Address {
  const { isSrv, hosts } = readUrl(text) ?? { isSrv: false, hosts: [text] };
  const [host = ''] = hosts;
  if (isSrv || hosts.length > 1) return { text: hosts.join(', ') };
  if (/%2f/i.test(host)) return { socket: decoded(host) };
  const match = /^\[?(.*?)\]?(?::(\d+))?$/.exec(host);
  return { host: match?.[1] ?? host, port: Number(match?.[2] ?? DEFAULT_PORT) };
}

/** The password as the text has it, and as the server knows it. */
export function passwordsIn(text: string): string[] {
  const password = readUrl(text)?.password;
  return password ? [...new Set([password, decoded(password)])] : [];
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
