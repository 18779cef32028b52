import { scopesInWords } from './scopes.ts';
import { own } from '../kernel/own.ts';

const verbs: Readonly<Record<string, string>> = {
  read: 'read with the tools of',
  write: 'change and delete things with the tools of',
  execute: 'run things with the tools of',
};

/** Those that can be granted at all. */
export function isGrantable(scope: string): boolean {
  return Object.hasOwn(scopesInWords, scope) || /^[A-Za-z0-9][\w-]*:(?:read|write|execute)$/.test(scope);
}

/** What the owner grants, in words that follow "It may". */
export function inWords(scope: string): string {
  const [source = '', verb = ''] = scope.split(':');
  return own(scopesInWords, scope) ?? `${own(verbs, verb) ?? verb} ${source}`;
}
