import { z } from 'zod';
import { AppError } from '../kernel/errors.ts';
import type { N8nHttp } from './client/http.ts';
import { notAllowed } from './client/http-errors.ts';
import { isUnknownPath, saidIn } from './client/refused.ts';
import { setWhere } from './client/set-where.ts';

const discoverShape = z.looseObject({
  data: z.looseObject({
    scopes: z.array(z.string()),
    resources: z.record(
      z.string(),
      z.looseObject({ endpoints: z.array(z.looseObject({ method: z.string(), path: z.string() })) }),
    ),
  }),
});

/** The endpoints an n8n offers, and the ones our key may use. */
export interface Abilities {
  readonly scopes: ReadonlySet<string>;
  /** Endpoints the key may use, in the form `GET /api/v1/workflows/{}`. */
  readonly allowed: ReadonlySet<string>;
  /** All endpoints of this n8n. Undefined if n8n does not serve its OpenAPI description. */
  readonly offered?: ReadonlySet<string>;
}

/** Explains why n8n refused a call, from its /discover answer and its OpenAPI description. */
export function createAbilities(http: Pick<N8nHttp, 'send' | 'address'>) {
  let offered: Promise<ReadonlySet<string> | undefined> | undefined;

  /** Undefined: this n8n is too old to have /discover. */
  async function read(): Promise<Abilities | undefined> {
    const answer = await http.send('GET', '/api/v1/discover').catch(() => undefined);
    const parsed = discoverShape.safeParse(answer?.body);
    if (!parsed.success) return undefined;
    offered ??= readOffered(http);
    const all = await offered;
    const { scopes, resources } = parsed.data.data;
    const allowed = Object.values(resources).flatMap(({ endpoints }) =>
      endpoints.map(({ method, path }) => `${method} ${templateOf(path)}`),
    );
    return { scopes: new Set(scopes), allowed: new Set(allowed), ...(all && { offered: all }) };
  }

  return {
    read,
    /** Returns the same error, or a new one that names the missing scope or n8n version. */
    async explain(error: AppError, method: string, path: string): Promise<AppError> {
      const status = error.data?.status;
      if (error.code === 'unsupported' && status === 403) return error;
      if (status !== 403 && status !== 404 && status !== 405) return error;
      // The path exists, only the id does not: that has nothing to do with scopes or versions.
      if (status === 404 && !isUnknownPath(error)) return error;
      const abilities = await read();
      if (!abilities) return error;
      const { name } = http.address;
      const call = `${method} ${templateOf(path)}`;
      const scope = scopeOf(method, path);
      if (status === 403 && scope !== undefined && !abilities.scopes.has(scope)) {
        return new AppError(
          'forbidden',
          `The API key of n8n (${name}) lacks the scope ${scope}. Add that scope in n8n under Settings > n8n API, or set a key that has it in ${setWhere(name, 'apiKey')}.`,
          { cause: error, data: { ...error.data, scope } },
        );
      }
      if (status === 403 && abilities.allowed.has(call)) {
        return new AppError(
          'forbidden',
          `${notAllowed(name, saidIn(error))} The API key of n8n (${name}) has the scope, but its user may not do this here: check the project, role and licence.`,
          { cause: error, ...(error.data && { data: error.data }) },
        );
      }
      if (status === 403 || abilities.allowed.has(call) || abilities.offered?.has(call)) return error;
      return new AppError(
        'unsupported',
        `n8n (${name}) does not offer ${call.replaceAll('{}', '…')}: it is too old, or its public API is switched off. You need n8n 2.41 or newer.`,
        { cause: error, ...(error.data && { data: error.data }) },
      );
    },
  };
}

/** n8n's OpenAPI description. It is 750 KB of YAML, so we extract only paths and methods instead of parsing it all. */
async function readOffered(http: Pick<N8nHttp, 'send'>): Promise<ReadonlySet<string> | undefined> {
  const answer = await http.send('GET', '/api/v1/openapi.yml').catch(() => undefined);
  // n8n cannot serve this file when it is installed below a folder whose name starts with a dot.
  if (answer?.status !== 200 || typeof answer.body !== 'string') return undefined;
  return endpointsIn(answer.body);
}

export function endpointsIn(yaml: string): ReadonlySet<string> {
  const found = new Set<string>();
  let path: string | undefined;
  let inPaths = false;
  for (const line of yaml.split('\n')) {
    if (/^\S/.test(line)) inPaths = line.startsWith('paths:');
    if (!inPaths) continue;
    const named = /^ {2}['"]?(\/[^'":]*)['"]?:\s*$/.exec(line)?.[1];
    const method = /^ {4}(get|post|put|patch|delete):\s*$/.exec(line)?.[1];
    if (named !== undefined) path = named;
    else if (method !== undefined && path !== undefined)
      found.add(`${method.toUpperCase()} /api/v1${templateOf(path)}`);
  }
  return found;
}

const words = new Set(['schema', 'search', 'summary', 'stop', 'me']);

/** Replaces the ids in a path with `{}`. Below a resource, every second segment is an id. */
export function templateOf(path: string): string {
  const parts = (path.split('?')[0] as string).split('/');
  const from = parts.indexOf('v1') === -1 ? 1 : parts.indexOf('v1') + 1;
  return parts
    .map((part, index) => {
      if (part.startsWith('{')) return '{}';
      return index > from && (index - from) % 2 === 1 && !words.has(part) ? '{}' : part;
    })
    .join('/');
}

const resources: Readonly<Record<string, string>> = {
  workflows: 'workflow',
  executions: 'execution',
  credentials: 'credential',
  tags: 'tag',
  users: 'user',
  variables: 'variable',
  projects: 'project',
  'data-tables': 'dataTable',
};

const verbs: Readonly<Record<string, string>> = { POST: 'create', PUT: 'update', PATCH: 'update', DELETE: 'delete' };

const steps: Readonly<Record<string, string>> = {
  publish: 'activate',
  activate: 'activate',
  unpublish: 'deactivate',
  deactivate: 'deactivate',
  archive: 'delete',
  unarchive: 'delete',
  retry: 'retry',
  stop: 'stop',
  transfer: 'move',
  test: 'read',
  history: 'read',
  versions: 'read',
};

/** The n8n scope that a call needs; undefined if method and path do not tell. */
export function scopeOf(method: string, path: string): string | undefined {
  const [resource = '', id, step] = (path.split('?')[0] as string).replace(/^\/api\/v1\//, '').split('/');
  const thing = resources[resource];
  if (thing === undefined) return undefined;
  if (step === 'tags') return `${thing}Tags:${method === 'GET' ? 'list' : 'update'}`;
  const known = step === undefined ? undefined : steps[step];
  if (step !== undefined) return known === undefined ? undefined : `${thing}:${known}`;
  if (method === 'GET') return `${thing}:${id === undefined ? 'list' : 'read'}`;
  return `${thing}:${verbs[method]}`;
}
