import { AppError } from '../../../kernel/errors.ts';
import { shown } from '../../../kernel/nearest-names.ts';

const API = '/api/v1';
const MOST_SEGMENTS = 20;

/**
 * The path of an endpoint of the public API, from what was given: `workflows/1`, `/workflows/1` or `/api/v1/workflows/1`.
 * Whatever could lead out of the API, or be read as something else by n8n or a proxy, is refused.
 */
export function requestPath(given: string): string {
  const path = `/${given.replace(/^\/?api\/v1\//, '/').replace(/^\//, '')}`;
  if (path.includes('://') || path.startsWith('//')) throw bad(given, 'is an address. Give only the path: /workflows');
  if (/[?#]/.test(path)) throw bad(given, 'has a query. Put it into "query"');
  const segments = path.replace(/\/$/, '').slice(1).split('/');
  if (segments.length > MOST_SEGMENTS) throw bad(given, 'has too many parts');
  return `${API}/${segments.map((segment) => safe(given, segment)).join('/')}`;
}

function safe(given: string, segment: string): string {
  if (segment === '') throw bad(given, 'has an empty part');
  const plain = decoded(given, segment);
  if (plain === '.' || plain === '..') throw bad(given, 'leads out of the API');
  // Some servers decode twice, so what looks encoded after decoding is refused, too.
  if (!plain.isWellFormed() || /[/\\%;]|\p{Cc}/u.test(plain))
    throw bad(given, 'has a character that an id cannot have');
  return encodeURIComponent(plain);
}

function decoded(given: string, segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    throw bad(given, 'is not encoded correctly');
  }
}

/** A query or an address may have a key in it: they are not repeated. */
const bad = (given: string, why: string): AppError =>
  new AppError(
    'invalid_input',
    `The path ${shown(given.replace(/[?#].*|(?<=:\/\/)[^/]*@/gs, '…'))} ${why}. Nothing was sent.`,
  );
