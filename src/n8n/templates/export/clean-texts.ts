import { AppError } from '../../../kernel/errors.ts';
import { shown } from '../../../kernel/nearest-names.ts';
import { labelOf } from '../../../validation/credentials/secret-names.ts';
import { isRecord } from '../../../validation/json/record.ts';
import { hasMailAddress, privateHosts } from './private-hosts.ts';
import { secretSpans } from './secret-spans.ts';
import { replaced } from './spans.ts';

export interface CleanOptions {
  /** Replace keys, tokens and passwords. */
  readonly secrets: boolean;
  /** Replace private hosts and addresses. */
  readonly hosts: boolean;
  /** The host of this n8n. */
  readonly own?: string | undefined;
}

/** What was found in a text. `mail` is only reported. */
export type Found = 'secret' | 'private address' | 'mail';

/** Called for every text with something in it: how many there are, where it is, and what stands there now. */
export type Tell = (what: Found, where: string, count: number, put: string) => void;

/** No real workflow nests deeper, and a deeper one would exhaust the stack. */
const DEEPEST = 500;

/** A copy of a value in which the secrets and private addresses in all texts are replaced. */
export function cleanTexts<T>(value: T, where: string, options: CleanOptions & { isNote?: boolean }, tell: Tell): T {
  return walk(value, { where, name: '', depth: 0 }, options, tell) as T;
}

interface At {
  readonly where: string;
  /** The field's name, or for `{ name, value }` that name. */
  readonly name: string;
  readonly depth: number;
}

function walk(value: unknown, at: At, options: CleanOptions & { isNote?: boolean }, tell: Tell): unknown {
  if (typeof value === 'string') return cleanText(value, at, options, tell);
  if (typeof value !== 'object' || value === null) return value;
  if (at.depth > DEEPEST) {
    throw new AppError(
      'unsupported',
      `${shown(at.where)} is nested more than ${DEEPEST} levels deep: it is not exported.`,
    );
  }
  const depth = at.depth + 1;
  if (Array.isArray(value)) {
    return value.map((one, index) => walk(one, { ...at, where: `${at.where}[${index}]`, depth }, options, tell));
  }
  const label = isRecord(value) ? labelOf(value) : undefined;
  return Object.fromEntries(
    Object.entries(value).map(([key, one]) => {
      const name = key === 'value' && label !== undefined ? label : key;
      return [key, walk(one, { where: `${at.where}.${shown(key, 40)}`, name, depth }, options, tell)];
    }),
  );
}

function cleanText(
  text: string,
  { where, name }: At,
  options: CleanOptions & { isNote?: boolean },
  tell: Tell,
): string {
  if (text.length < 4) return text;
  let clean = text;
  if (options.secrets) {
    const spans = secretSpans(clean, { name, isNote: options.isNote ?? false });
    if (spans.length > 0) tell('secret', where, spans.length, spans[0]?.put as string);
    clean = replaced(clean, spans);
  }
  if (options.hosts) {
    const spans = privateHosts(clean, name, options.own);
    if (spans.length > 0) tell('private address', where, spans.length, spans[0]?.put as string);
    clean = replaced(clean, spans);
  }
  if (hasMailAddress(clean)) tell('mail', where, 1, '');
  return clean;
}
