import { isDeepStrictEqual } from 'node:util';
import { own } from '../../kernel/own.ts';
import type { ConfigHealth } from './health.ts';
import type { Loaded } from './loaded.ts';
import { masked } from './masked.ts';
import type { Problem } from './problems.ts';

/** A top-level key as people may see it. */
export interface ShownKey {
  readonly key: string;
  readonly from: 'file' | 'environment' | 'file and environment' | 'default';
  /** References as they are written; secrets masked. */
  readonly value: unknown;
}

/** The configuration in effect, and what is wrong with the file. */
export interface ShownConfiguration {
  readonly file?: string;
  readonly state: 'ready' | 'degraded' | 'failing';
  /** Since when. */
  readonly since?: string;
  /** What is wrong, if it is not in the file. */
  readonly notice?: string;
  /** What is wrong with the changed file; the one before stays in effect. */
  readonly problems: readonly Problem[];
  /** Changed keys that take effect after a restart. */
  readonly restart: readonly string[];
  readonly keys: readonly ShownKey[];
}

interface ShowConfiguration {
  readonly loaded: Loaded;
  readonly restart: readonly string[];
  readonly health: Pick<ConfigHealth, 'health' | 'problems'>;
  redact(text: string): string;
}

export function shownConfiguration({ loaded, restart, health, redact }: ShowConfiguration): ShownConfiguration {
  const { file, config } = loaded;
  const { state, since, lastError } = health.health();
  const problems = health.problems();
  const notice = problems.length === 0 ? lastError?.message : undefined;
  return {
    ...(file !== undefined && { file }),
    state: state === 'failing' || state === 'degraded' ? state : 'ready',
    ...(since !== undefined && { since }),
    ...(notice !== undefined && { notice: redact(notice) }),
    problems,
    restart,
    keys: Object.keys(config).map((key) => shownKey(key, loaded, redact)),
  };
}

function shownKey(key: string, { written, said, config }: Loaded, redact: (text: string) => string): ShownKey {
  const [inFile, inAll] = [own(written, key), own(said, key)];
  const from =
    inAll === undefined
      ? 'default'
      : inFile === undefined
        ? 'environment'
        : sameShape(inFile, inAll)
          ? 'file'
          : 'file and environment';
  const value = inAll === undefined ? plain(own(config, key)) : inAll;
  return { key, from, value: masked(value, { written: inFile, key, redact }) };
}

/** Whether nothing was added to what the file says; its references stand for other values. */
function sameShape(written: unknown, said: unknown): boolean {
  if (typeof written === 'string' && written.includes('${')) return true;
  if (written === null || typeof written !== 'object' || said === null || typeof said !== 'object')
    return isDeepStrictEqual(written, said);
  const names = Object.keys(said);
  return (
    names.length === Object.keys(written).length &&
    names.every((name) => Object.hasOwn(written, name) && sameShape(at(written, name), at(said, name)))
  );
}

const at = (tree: object, name: string): unknown =>
  Object.hasOwn(tree, name) ? (tree as Record<string, unknown>)[name] : undefined;

/** Defaults may hold what is no JSON. */
const plain = (value: unknown): unknown => (value === undefined ? undefined : JSON.parse(JSON.stringify(value)));
