import { AppError } from '../../kernel/errors.ts';
import type { Repositories } from './repositories.ts';

export interface Scoped {
  readonly q: string;
  /** Whether everything that GitHub finds is allowed, so that its total can be shown. */
  readonly isExact: boolean;
}

/** GitHub's search for issues joins qualifiers with and, unless `OR` is between them; other searches join them with or. */
export type Joined = 'by or' | 'with OR';

interface Query {
  readonly query: string;
  /** The repository that the call names. */
  readonly repo: string | undefined;
  readonly repositories: Repositories;
  readonly joined: Joined;
}

/** GitHub takes no more than five operators. */
const MOST_WITH_OR = 6;
const MOST_BY_OR = 20;

/**
 * A search that stays within the allowed repositories. Qualifiers in the query that name others are refused: what they
 * find would be filtered out, but even a total tells something about it.
 */
export function scoped({ query, repo, repositories, joined }: Query): Scoped {
  if (repo !== undefined) repositories.need(repo);
  const { globs } = repositories;
  if (globs === undefined) return { q: repo === undefined ? query : `${query} repo:${repo}`.trim(), isExact: true };
  const { text, named } = split(query);
  for (const { kind, name } of named) {
    if (kind === 'repo') repositories.need(name);
    else if (!repositories.hasOwner(name)) repositories.need(`${name}/*`);
  }
  const own = [...named.map(({ kind, name }) => `${kind}:${name}`), ...(repo === undefined ? [] : [`repo:${repo}`])];
  const { qualifiers, isExact } = own.length > 0 ? { qualifiers: [...new Set(own)], isExact: true } : scopeOf(globs);
  const most = joined === 'with OR' ? MOST_WITH_OR : MOST_BY_OR;
  if (qualifiers.length > most)
    throw new AppError(
      'invalid_input',
      `The configuration allows ${qualifiers.length} repositories or owners, more than one search can name. Name one with repo.`,
    );
  const scope = joined === 'with OR' && qualifiers.length > 1 ? `(${qualifiers.join(' OR ')})` : qualifiers.join(' ');
  const isPlain = !OPERATOR.test(text);
  if (!isPlain && !isBalanced(text))
    throw new AppError('invalid_input', 'The parentheses or quotes of the query do not match. Correct it.');
  const wrapped = joined === 'with OR' && !isPlain ? `(${text})` : text;
  // GitHub may read \" as a part of a phrase: then it ends somewhere else than it does here.
  const isSure = isPlain || (joined === 'with OR' && !text.includes('\\'));
  return { q: `${wrapped} ${scope}`.trim(), isExact: isExact && isSure };
}

const OPERATOR = /[()"]|\b(?:OR|NOT|AND)\b/;

interface Named {
  readonly kind: 'repo' | 'user' | 'org';
  readonly name: string;
}

/** Takes the qualifiers that name repositories or accounts out of a query. Those that exclude some may stay. */
function split(query: string): { text: string; named: Named[] } {
  const named: Named[] = [];
  const text = query.replace(
    /(-?)\b(repo|user|org|owner|enterprise):("?)([^\s"()]*)"?/gi,
    (all, ...found: string[]) => {
      const [minus, kind = '', , name = ''] = found;
      if (minus === '-') return all;
      const known = kind.toLowerCase();
      if (known === 'enterprise' || !/^[\w./-]+$/.test(name) || (known === 'repo') !== name.includes('/'))
        throw new AppError(
          'invalid_input',
          `${all} in the query is not understood. Name the repository with repo instead.`,
        );
      named.push({ kind: known === 'owner' ? 'user' : (known as Named['kind']), name });
      return '';
    },
  );
  return { text: text.replace(/\s+/g, ' ').trim(), named };
}

/** The allow-list as qualifiers. A glob within an account finds too much, which is filtered out afterwards. */
function scopeOf(globs: readonly string[]): { qualifiers: string[]; isExact: boolean } {
  const each = globs.map((glob) => {
    const [owner = '', name = ''] = glob.split('/');
    if (/[*?]/.test(owner)) return undefined;
    if (!/[*?]/.test(name)) return { qualifier: `repo:${glob}`, isExact: true };
    return { qualifier: `user:${owner}`, isExact: name === '*' };
  });
  const known = each.filter((one) => one !== undefined);
  // One that allows accounts by a glob cannot be said in a query.
  if (known.length < each.length) return { qualifiers: [], isExact: globs.includes('*') || globs.includes('*/*') };
  return { qualifiers: [...new Set(known.map((one) => one.qualifier))], isExact: known.every((one) => one.isExact) };
}

function isBalanced(text: string): boolean {
  let depth = 0;
  let isQuoted = false;
  for (const sign of text) {
    if (sign === '"') isQuoted = !isQuoted;
    else if (!isQuoted && sign === '(') depth += 1;
    else if (!isQuoted && sign === ')') depth -= 1;
    if (depth < 0) return false;
  }
  return depth === 0 && !isQuoted;
}
