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

/** What an n8n offers, and what of it our key may use. */
export interface Abilities {
  readonly scopes: ReadonlySet<string>;
  /** As `GET /api/v1/workflows/{}`, those the key may use. */
  readonly allowed: ReadonlySet<string>;
  /** The same, whatever the key may; absent where n8n does not serve its description. */
  readonly offered?: ReadonlySet<string>;
}

/** Explains why a call was refused, by what n8n says of itself: asked once, and anew when it refuses something. */
export function createAbilities(http: Pick<N8nHttp, 'send' | 'address'>) {
  let offered: Promise<ReadonlySet<string> | undefined> | undefined;

  /** Undefined: this n8n is too old to tell. */
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
    /** The same error, or one that says which scope or which version is missing. */
    async explain(error: AppError, method: string, path: string): Promise<AppError> {
      const status = error.data?.status;
      if (error.code === 'unsupported' && status === 403) return error;
      if (status !== 403 && status !== 404 && status !== 405) return error;
      // An id that does not exist is no question of abilities.
      if (status === 404 && !isUnknownPath(error)) return error;
      const abilities = await read();
      if (!abilities) return error;
      const { name } = http.address;
      const call = `${method} ${templateOf(path)}`;
      const scope = scopeOf(method, path);
      if (status === 403 && scope !== undefined && !abilities.scopes.has(scope)) {
        return new AppError(
          'forbidden',
          `The API key of n8n (${name}) lacks the scope ${scope}. Give it that scope in n8n under Settings > n8n API, or put a key that has it into ${setWhere(name, 'apiKey')}.`,
          { cause: error, data: { ...error.data, scope } },
        );
      }
      if (status === 403 && abilities.allowed.has(call)) {
        return new AppError(
          'forbidden',
          `${notAllowed(name, saidIn(error))} The API key of n8n (${name}) has the scope for it; the user it belongs to may not do this to that one (project, role or licence).`,
          { cause: error, ...(error.data && { data: error.data }) },
        );
      }
      if (status === 403 || abilities.allowed.has(call) || abilities.offered?.has(call)) return error;
      return new AppError(
        'unsupported',
        `n8n (${name}) does not offer ${call.replaceAll('{}', '…')}: it is older than this needs, or its public API is switched off. n8n 2.41 or newer has it.`,
        { cause: error, ...(error.data && { data: error.data }) },
      );
    },
  };
}

/** n8n's description of its own API. It is 750 KB of YAML, of which the names of paths and methods are enough. */
async function readOffered(http: Pick<N8nHttp, 'send'>): Promise<ReadonlySet<string> | undefined> {
  const answer = await http.send('GET', '/api/v1/openapi.yml').catch(() => undefined);
  // An n8n that is installed below a folder whose name begins with a dot cannot serve it.
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

/** A path with its ids taken out: every second part of those below a resource is one. */
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

/** The scope that a call needs, as n8n names it; undefined where that does not follow from the call. */
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
