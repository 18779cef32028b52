import { AppError } from '../../../kernel/errors.ts';
import { shown } from '../../../kernel/nearest-names.ts';
import { labelOf } from '../../../validation/credentials/secret-names.ts';
import { isRecord } from '../../../validation/json/record.ts';
import { idSpans, type KnownIds } from './known-ids.ts';
import { hasMailAddress, privateHosts } from './private-hosts.ts';
import { formSpans } from './secret-forms.ts';
import { secretSpans } from './secret-spans.ts';
import { hasRandomText, isPassword, standInFor } from './secret-words.ts';
import { apart, replaced, type Span } from './spans.ts';

export interface CleanOptions {
  /** Replace keys, tokens and passwords. */
  readonly secrets: boolean;
  /** Replace private hosts and addresses. */
  readonly hosts: boolean;
  /** Replace these ids. */
  readonly ids?: KnownIds | undefined;
  /** The host of this n8n. */
  readonly own?: string | undefined;
  readonly isNote?: boolean;
}

/** What was found in a text. `mail` and `random` are only reported. */
export type Found = 'secret' | 'private address' | 'id' | 'mail' | 'random';

/** Called for every text with something in it: how many there are, where it is, and what stands there now. */
export type Tell = (what: Found, where: string, count: number, put: string) => void;

/** No real workflow nests deeper, and a deeper one would exhaust the stack. */
const DEEPEST = 500;

/** A copy of a value in which the secrets, private addresses and ids in all texts are replaced. */
export function cleanTexts<T>(value: T, where: string, options: CleanOptions, tell: Tell): T {
  return walk(value, { where, name: '', depth: 0 }, options, tell) as T;
}

/** `{ name, value }`, and in older versions of the Set node `{ name, stringValue }`. */
const isValue = /^(?:value|defaultValue|stringValue|numberValue|objectValue|arrayValue)$/;

/** What was picked in n8n's editor, as a link within this n8n: `/workflow/aB3xY9kLmN0pQrSt`. */
const isOwnLink = (key: string, value: unknown): boolean =>
  key === 'cachedResultUrl' && typeof value === 'string' && value.startsWith('/');

interface At {
  readonly where: string;
  /** The field's name, or for `{ name, value }` that name. */
  readonly name: string;
  readonly depth: number;
}

function walk(value: unknown, at: At, options: CleanOptions, tell: Tell): unknown {
  if (typeof value === 'string') return cleanText(value, at, options, tell);
  if (typeof value === 'number') return cleanNumber(value, at, options, tell);
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
    Object.entries(value)
      .filter(([key, one]) => !(options.ids && isOwnLink(key, one)))
      .map(([given, one]) => {
        const key = cleanKey(given, at.where, options, tell);
        const name = label !== undefined && isValue.test(key) ? label : key;
        return [key, walk(one, { where: `${at.where}.${shown(key, 40)}`, name, depth }, options, tell)];
      }),
  );
}

/** The name of a field is data, too, where people choose it. */
function cleanKey(key: string, where: string, { secrets }: CleanOptions, tell: Tell): string {
  if (!secrets || key.length < 16) return key;
  const spans = apart([...formSpans(key)]);
  report(spans, 'secret', `the name of a field in ${where}`, tell);
  return replaced(key, spans);
}

function cleanNumber(value: number, { where, name }: At, { secrets }: CleanOptions, tell: Tell): unknown {
  if (!secrets || !isPassword(name) || Math.abs(value) < 1000) return value;
  const put = standInFor(name);
  tell('secret', where, 1, put);
  return put;
}

function cleanText(text: string, { where, name }: At, options: CleanOptions, tell: Tell): string {
  if (text.length < 4) return text;
  let clean = text;
  const clear = (spans: readonly Span[], what: Found) => {
    report(spans, what, where, tell);
    clean = replaced(clean, spans);
  };
  if (options.ids) clear(idSpans(clean, options.ids), 'id');
  if (options.secrets) clear(secretSpans(clean, { name, isNote: options.isNote ?? false }), 'secret');
  if (options.hosts) clear(privateHosts(clean, name, options.own), 'private address');
  if (hasMailAddress(clean)) tell('mail', where, 1, '');
  if (options.secrets && hasRandomText(clean)) tell('random', where, 1, '');
  return clean;
}

function report([first, ...others]: readonly Span[], what: Found, where: string, tell: Tell): void {
  if (first) tell(what, where, others.length + 1, first.put);
}
