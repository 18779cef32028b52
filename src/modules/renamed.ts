import { AppError } from '../kernel/errors.ts';

/** How the tools of a module are called if there are several of its kind: `postgres_query` in `postgres-staging`. */
export interface Naming {
  name(tool: string): string;
  scope(scope: string): string;
  /** Replaces the names of its tools in a text for the reader. */
  text(text: string): string;
  error(error: AppError): AppError;
}

const same: Naming = { name: (tool) => tool, scope: (scope) => scope, text: (text) => text, error: (error) => error };

export function namingOf(type: string, source: string, tools: readonly { readonly name: string }[]): Naming {
  if (type === source) return same;
  const names = new Set([...tools.map(({ name }) => name), ...['list', 'call', 'read'].map((one) => `${type}_${one}`)]);
  const word = new RegExp(`\\b${type}_[a-z0-9_]+`, 'g');
  const name = (tool: string) => `${source}${tool.slice(type.length)}`;
  const setting = new RegExp(`\\bmodules\\.${type}(?![\\w-])`, 'g');
  const text = (given: string) =>
    given.replace(word, (found) => (names.has(found) ? name(found) : found)).replace(setting, `modules.${source}`);
  return {
    name,
    text,
    // A right that is more than reading, writing and executing keeps its name: it is granted literally.
    scope: (scope) => scope.replace(new RegExp(`^${type}(?=:(?:read|write|execute)$)`), source),
    error: (error) =>
      new AppError(error.code, text(error.message), {
        cause: error,
        ...(error.data && { data: error.data }),
        ...(error.saysWhen && { saysWhen: true }),
      }),
  };
}
