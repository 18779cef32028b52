/** The workflow that a request changed. `any`: it is not known which. */
export type Written = { readonly workflow: string } | 'any';

/** Requests to these paths change no workflow. */
const APART = /^\/api\/v1\/(?:executions|credentials|data-tables|variables|users|audit)(?:\/|$)/;

/** What a successful request changed. Undefined if it changed no workflow. */
export function writtenBy(method: string, path: string, answer: unknown): Written | undefined {
  if (method === 'GET' || !path.startsWith('/api/v1/') || APART.test(path)) return undefined;
  const [, id] = /^\/api\/v1\/workflows\/([^/]+)/.exec(path) ?? [];
  if (id !== undefined) return { workflow: decodeURIComponent(id) };
  const made = path === '/api/v1/workflows' ? (answer as { id?: unknown } | undefined)?.id : undefined;
  return typeof made === 'string' ? { workflow: made } : 'any';
}
