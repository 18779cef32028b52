import { AppError } from '../kernel/errors.ts';
import { isScope } from '../kernel/principal.ts';
import { scopesInWords } from './scope-words.ts';

export function assertScopes(scopes: readonly string[]): void {
  const wrong = scopes.filter((scope) => !isScope(scope));
  if (wrong.length === 0) return;
  throw new AppError(
    'invalid_input',
    `${wrong.join(', ')} ${wrong.length === 1 ? 'is not a scope' : 'are not scopes'}. Use ${Object.keys(scopesInWords).join(', ')} or, for one source, <source>:read, <source>:write or <source>:execute.`,
  );
}
