import { AppError } from '../kernel/errors.ts';

const known = /^(?:admin|health:check|tools:(?:read|execute)|[A-Za-z0-9][\w-]*:(?:read|write|execute))$/;

/** What a scope allows, for whoever grants one. */
export const scopesInWords: Readonly<Record<string, string>> = {
  'tools:read': 'see which tools there are',
  'tools:execute': 'call every tool, except those that administer the gateway',
  'health:check': 'see the status, the events and the metrics of the gateway',
  admin: 'do everything, also add and remove servers',
};

export function assertScopes(scopes: readonly string[]): void {
  const wrong = scopes.filter((scope) => !known.test(scope));
  if (wrong.length === 0) return;
  throw new AppError(
    'invalid_input',
    `${wrong.join(', ')} ${wrong.length === 1 ? 'is no scope' : 'are no scopes'}. There are ${Object.keys(scopesInWords).join(', ')}, and for one source <source>:read, <source>:write and <source>:execute.`,
  );
}
