import { AppError } from '../../../kernel/errors.ts';
import { didYouMean, inQuotes, nearestNames, shown } from '../../../kernel/nearest-names.ts';
import type { Credential } from '../../client/shapes.ts';
import type { KnownCredentials } from '../../credentials/known-credentials.ts';
import type { Want } from './credential-wants.ts';

export interface Used {
  readonly id: string;
  readonly name: string;
}

/** The credential to use and why, or the candidates among which nobody chose. */
export type Choice =
  | { readonly used: Used; readonly why: string }
  | { readonly used?: undefined; readonly candidates: readonly Used[] };

const MOST_CANDIDATES = 5;

/**
 * Chooses the credentials of an import: the one that the caller named, else the one with the same type and name, else
 * the only one of its type. `mapping` is by type, or by type and name: `slackApi`, `slackApi/Bot`. Where the template
 * decides to which address the secret goes, only a name that people chose will do: a stranger wrote that address.
 */
export function credentialChooser(
  { credentials, source }: Pick<KnownCredentials, 'credentials' | 'source'>,
  mapping: ReadonlyMap<string, string>,
): (want: Want) => Choice {
  const byType = new Map<string, Credential[]>();
  for (const one of credentials) {
    const others = byType.get(one.type);
    if (others) others.push(one);
    else byType.set(one.type, [one]);
  }
  return ({ type, name, id, anywhere }) => {
    const all = byType.get(type) ?? [];
    const wanted = (name === undefined ? undefined : mapping.get(`${type}/${name}`)) ?? mapping.get(type);
    if (wanted !== undefined) return { used: usedOf(namedHere(wanted, type, all, credentials)), why: 'you named it' };
    const same = name === undefined ? [] : all.filter((one) => one.name === name);
    const [only = same.find((one) => one.id === id)] = same.length === 1 ? same : [];
    if (only && !(anywhere && isUsualName(only.name))) return { used: usedOf(only), why: 'same type and name' };
    // Workflows name only some of the credentials: the only one among them may not be the only one.
    const [single] = all;
    if (single && all.length === 1 && source !== 'workflows' && !anywhere) {
      return { used: usedOf(single), why: 'the only one of its type' };
    }
    return { candidates: (same.length > 0 ? same : all).slice(0, MOST_CANDIDATES).map(usedOf) };
  };
}

/** n8n calls credentials `Header Auth account`, `Header Auth account 2`: everybody has those. */
const isUsualName = (name: string): boolean => / account(?: \d+)?$/i.test(name);

const usedOf = ({ id, name }: Credential): Used => ({ id, name });

/** The credential of this type with this id or name. */
function namedHere(
  wanted: string,
  type: string,
  ofType: readonly Credential[],
  every: readonly Credential[],
): Credential {
  const byId = every.find(({ id }) => id === wanted);
  if (byId && byId.type !== type) {
    throw refused(`"${shown(byId.name)}" (${byId.id}) has the type ${byId.type}, not ${shown(type)}.`);
  }
  const found = byId ? [byId] : ofType.filter(({ name }) => name === wanted);
  const [first] = found;
  if (first && found.length === 1) return first;
  if (first) {
    const ids = found.map(({ id }) => id).slice(0, 10);
    throw refused(
      `${found.length} credentials of type ${type} are called "${shown(wanted)}". Name one by id: ${ids.join(', ')}.`,
    );
  }
  const near = nearestNames(
    wanted,
    ofType.map(({ name }) => name),
  );
  throw refused(
    `There is no credential "${shown(wanted)}" of type ${shown(type)}. ${didYouMean(inQuotes(near), 'n8n_list_credentials shows them, n8n_create_credential creates one.')}`,
  );
}

const refused = (message: string) => new AppError('invalid_input', `"credentials": ${message} Nothing was imported.`);

/** Refuses a mapping of something that the template does not have: it is misspelt. */
export function assertUsed(what: string, mapping: ReadonlyMap<string, string>, known: ReadonlySet<string>): void {
  const unused = [...mapping.keys()].find((key) => !known.has(key));
  if (unused === undefined) return;
  const names = [...known].slice(0, 20).map((name) => `"${shown(name, 60)}"`);
  const there = names.length === 0 ? 'It has none.' : `It has: ${names.join(', ')}.`;
  throw new AppError(
    'invalid_input',
    `"${what}": the template has no "${shown(unused)}". ${didYouMean(inQuotes(nearestNames(unused, known, 2)), there)} Nothing was imported.`,
  );
}
