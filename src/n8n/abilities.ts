import { z } from 'zod';
import { AppError } from '../kernel/errors.ts';
import { late } from '../kernel/late.ts';
import type { N8nHttp } from './client/http.ts';
import { notAllowed } from './client/http-errors.ts';
import { isUnknownPath, saidIn } from './client/refused.ts';
import { setWhere } from './client/set-where.ts';
import { scopeOf } from './endpoint-scopes.ts';

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
  const offered = late(() => readOffered(http));

  /** Undefined: this n8n is too old to have /discover. */
  async function discover() {
    const answer = await http.send('GET', '/api/v1/discover').catch(() => undefined);
    return discoverShape.safeParse(answer?.body).data?.data;
  }

  async function read(): Promise<Abilities | undefined> {
    const found = await discover();
    if (!found) return undefined;
    const all = await offered().catch(() => undefined);
    const { scopes, resources } = found;
    const allowed = Object.values(resources).flatMap(({ endpoints }) =>
      endpoints.map(({ method, path }) => `${method} ${templateOf(path)}`),
    );
    return { scopes: new Set(scopes), allowed: new Set(allowed), ...(all && { offered: all }) };
  }

  const lacks = (scope: string) =>
    `The API key of n8n (${http.address.name}) lacks the scope ${scope}. Add that scope in n8n under Settings > n8n API, or set a key that has it in ${setWhere(http.address.name, 'apiKey')}.`;

  return {
    read,
    /** Throws if the key lacks one of these scopes: for work in several steps, which must not stop half way. */
    async assertScopes(wanted: readonly string[]): Promise<void> {
      const found = await discover();
      const missing = found && wanted.find((scope) => !found.scopes.includes(scope));
      if (missing !== undefined) throw new AppError('forbidden', lacks(missing), { data: { scope: missing } });
    },
    /** The scopes of the key, without reading which endpoints there are. Undefined if n8n does not tell. */
    scopes: async (): Promise<ReadonlySet<string> | undefined> => {
      const found = await discover();
      return found && new Set(found.scopes);
    },
    /** Returns the same error, or a new one that names the missing scope or n8n version. */
    async explain(error: AppError, method: string, path: string): Promise<AppError> {
      const status = error.data?.status;
      if (error.code === 'unsupported' && status === 403) return error;
      if (status !== 403 && status !== 404 && status !== 405) return error;
      // The path exists, only the id does not: that has nothing to do with scopes or versions.
      if (status === 404 && !isUnknownPath(error)) return error;
      const abilities = await read();
      const { name } = http.address;
      if (!abilities) return status === 403 ? error : notOffered(error, name, method, path);
      const isAllowed = isAmong(abilities.allowed, method, path);
      const scope = scopeOf(method, path);
      if (status === 403 && scope !== undefined && !abilities.scopes.has(scope)) {
        return new AppError('forbidden', lacks(scope), { cause: error, data: { ...error.data, scope } });
      }
      if (status === 403 && (isAllowed || scope !== undefined)) {
        return new AppError(
          'forbidden',
          `${notAllowed(name, saidIn(error))} The API key of n8n (${name}) has the scope, but its user may not do this here: check the project, role and licence.`,
          { cause: error, ...(error.data && { data: error.data }) },
        );
      }
      if (status === 403 || isAllowed || isAmong(abilities.offered ?? new Set(), method, path)) return error;
      return notOffered(error, name, method, path);
    },
  };
}

const notOffered = (error: AppError, n8n: string, method: string, path: string): AppError =>
  new AppError(
    'unsupported',
    `n8n (${n8n}) does not offer ${method} ${path.split('?')[0]}: it is too old, or its public API is switched off. You need n8n 2.41 or newer.`,
    { cause: error, ...(error.data && { data: error.data }) },
  );

/** n8n's OpenAPI description. It is 750 KB of YAML, so we extract only paths and methods instead of parsing it all. */
async function readOffered(http: Pick<N8nHttp, 'send'>): Promise<ReadonlySet<string>> {
  const { status, body } = await http.send('GET', '/api/v1/openapi.yml');
  // n8n cannot serve this file when it is installed below a folder whose name starts with a dot.
  if (status !== 200 || typeof body !== 'string') throw new Error(`It answered ${status}.`);
  return endpointsIn(body);
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

/** Whether one of these endpoints is called by this method and path. */
export function isAmong(endpoints: ReadonlySet<string>, method: string, path: string): boolean {
  const asked = (path.split('?')[0] as string).split('/');
  for (const endpoint of endpoints) {
    const [verb, template = ''] = endpoint.split(' ');
    const parts = template.split('/');
    if (verb !== method || parts.length !== asked.length) continue;
    if (parts.every((part, index) => part === '{}' || part === asked[index])) return true;
  }
  return false;
}

/** Replaces the placeholders of a path, such as `{id}`, with `{}`. */
const templateOf = (path: string): string => path.replaceAll(/\{[^}]*\}/g, '{}');
