/** Which workflow a request has changed; any of them where that cannot be told. */
export type Written = { readonly workflow: string } | 'any';

/** What these paths change is in no workflow. */
const APART = /^\/api\/v1\/(?:executions|credentials|data-tables|variables|users|audit)(?:\/|$)/;

/** What a request that went well has changed. Undefined where no workflow is another than before. */
export function writtenBy(method: string, path: string, answer: unknown): Written | undefined {
  if (method === 'GET' || !path.startsWith('/api/v1/') || APART.test(path)) return undefined;
  const [, id] = /^\/api\/v1\/workflows\/([^/]+)/.exec(path) ?? [];
  if (id !== undefined) return { workflow: decodeURIComponent(id) };
  const made = path === '/api/v1/workflows' ? (answer as { id?: unknown } | undefined)?.id : undefined;
  return typeof made === 'string' ? { workflow: made } : 'any';
}
