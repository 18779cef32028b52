import { AppError } from '../kernel/errors.ts';
import { own } from '../kernel/own.ts';
import { isScope } from '../kernel/principal.ts';

const scopesInWords: Readonly<Record<string, string>> = {
  'tools:read': 'list the tools',
  'tools:execute': 'call every tool, except those that administer the gateway',
  'health:check': 'see the status, events and metrics of the gateway',
  'docker:exec': 'run commands and containers with Docker',
  admin: 'do everything, including adding and removing servers',
};

const verbs: Readonly<Record<string, string>> = {
  read: 'read with the tools of',
  write: 'change and delete things with the tools of',
  execute: 'run things with the tools of',
};

/** What a scope allows, worded to follow "It may". */
export function inWords(scope: string): string {
  const [source = '', verb = ''] = scope.split(':');
  return own(scopesInWords, scope) ?? `${own(verbs, verb) ?? verb} ${source}`;
}

export function assertScopes(scopes: readonly string[]): void {
  const wrong = scopes.filter((scope) => !isScope(scope));
  if (wrong.length === 0) return;
  throw new AppError(
    'invalid_input',
    `${wrong.join(', ')} ${wrong.length === 1 ? 'is not a scope' : 'are not scopes'}. Use ${Object.keys(scopesInWords).join(', ')} or, for one source, <source>:read, <source>:write or <source>:execute.`,
  );
}
