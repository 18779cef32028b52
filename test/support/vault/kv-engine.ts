/** KV secrets engines as Vault has them: version 1 keeps one value a name, version 2 keeps versions and metadata. */
import { z } from 'zod';

export interface Request {
  readonly method: string;
  /** Below the mount, decoded. A folder ends with a slash. */
  readonly path: string;
  readonly query: URLSearchParams;
  readonly body: unknown;
  readonly contentType: string | undefined;
}

export interface Reply {
  readonly status: number;
  readonly body?: unknown;
}

export interface Engine {
  answer(request: Request): Reply;
  /** Whether a write to this path would change something that is there: it needs update, else create. */
  exists(path: string): boolean;
}

export const ok = (data: unknown): Reply => ({ status: 200, body: { request_id: 'fake', data } });
export const refuse = (status: number, ...errors: string[]): Reply => ({ status, body: { errors } });
const done: Reply = { status: 204 };

const values = z.record(z.string(), z.unknown());

function namesIn(all: Iterable<string>, folder: string): Reply {
  const inside = [...all].filter((name) => name.startsWith(folder)).map((name) => name.slice(folder.length));
  const keys = new Set(inside.map((name) => (name.includes('/') ? name.slice(0, name.indexOf('/') + 1) : name)));
  return keys.size === 0 ? refuse(404) : ok({ keys: [...keys].sort() });
}

export function kvOne(): Engine {
  const secrets = new Map<string, Record<string, unknown>>();
  return {
    exists: (path) => secrets.has(path),
    answer({ method, path, body }) {
      if (method === 'LIST') return namesIn(secrets.keys(), path);
      if (method === 'GET') {
        const found = secrets.get(path);
        return found ? ok(found) : refuse(404);
      }
      if (method === 'DELETE') {
        secrets.delete(path);
        return done;
      }
      const given = values.safeParse(body);
      if (method !== 'POST' && method !== 'PUT') return refuse(405, 'unsupported operation');
      if (!given.success || Object.keys(given.data).length === 0) return refuse(400, 'missing data fields');
      secrets.set(path, given.data);
      return done;
    },
  };
}

interface Version {
  readonly created_time: string;
  deletion_time: string;
  destroyed: boolean;
  data: Record<string, unknown> | null;
}

interface Entry {
  readonly created_time: string;
  updated_time: string;
  current_version: number;
  oldest_version: number;
  max_versions: number;
  cas_required: boolean;
  delete_version_after: string;
  custom_metadata: Record<string, string> | null;
  readonly versions: Map<number, Version>;
}

const KEPT = 10;

const writeBody = z.strictObject({
  data: values,
  options: z.strictObject({ cas: z.int().min(0).optional() }).optional(),
});
const versionsBody = z.strictObject({ versions: z.array(z.int().min(1)).min(1) });
const metadataBody = z.strictObject({
  max_versions: z.int().min(0).optional(),
  cas_required: z.boolean().optional(),
  delete_version_after: z.string().optional(),
  custom_metadata: z.record(z.string().min(1).max(128), z.string().min(1).max(512)).optional(),
});

export function kvTwo(): Engine {
  const entries = new Map<string, Entry>();
  const now = () => new Date().toISOString();

  function entryAt(name: string): Entry {
    const known = entries.get(name);
    if (known) return known;
    const fresh: Entry = {
      created_time: now(),
      updated_time: now(),
      current_version: 0,
      oldest_version: 0,
      max_versions: 0,
      cas_required: false,
      delete_version_after: '0s',
      custom_metadata: null,
      versions: new Map(),
    };
    entries.set(name, fresh);
    return fresh;
  }

  const metadataOf = (entry: Entry, version: number) => {
    const { data: _, ...rest } = entry.versions.get(version) as Version;
    return { ...rest, custom_metadata: entry.custom_metadata, version };
  };

  function add(name: string, data: Record<string, unknown>, cas: number | undefined): Reply {
    const current = entries.get(name)?.current_version ?? 0;
    if (entries.get(name)?.cas_required && cas === undefined)
      return refuse(400, 'check-and-set parameter required for this call');
    if (cas !== undefined && cas !== current)
      return refuse(400, 'check-and-set parameter did not match the current version');
    const entry = entryAt(name);
    entry.current_version += 1;
    entry.updated_time = now();
    entry.versions.set(entry.current_version, { created_time: now(), deletion_time: '', destroyed: false, data });
    const most = entry.max_versions || KEPT;
    for (const version of entry.versions.keys())
      if (version <= entry.current_version - most) {
        entry.versions.delete(version);
        entry.oldest_version = version + 1;
      }
    return ok(metadataOf(entry, entry.current_version));
  }

  /** A read of `data` or `subkeys`. */
  function current(name: string, query: URLSearchParams) {
    const entry = entries.get(name);
    const asked = Number(query.get('version') ?? 0);
    const version = asked === 0 ? (entry?.current_version ?? 0) : asked;
    const found = entry?.versions.get(version);
    if (!entry || !found) return { missing: refuse(404) };
    const metadata = metadataOf(entry, version);
    if (found.destroyed || found.deletion_time !== '' || found.data === null)
      return { missing: { status: 404, body: { request_id: 'fake', data: { data: null, metadata } } } };
    return { data: found.data, metadata };
  }

  function data({ method, query, body, contentType }: Request, name: string): Reply {
    if (method === 'GET') {
      const found = current(name, query);
      return found.missing ?? ok(found);
    }
    if (method === 'DELETE') return marked(name, [entries.get(name)?.current_version ?? 0], remove);
    if (method === 'PATCH' && contentType !== 'application/merge-patch+json')
      return refuse(415, 'PATCH requires Content-Type of application/merge-patch+json');
    const given = writeBody.safeParse(body);
    if (!given.success) return refuse(400, 'no data provided');
    if (method === 'POST' || method === 'PUT') return add(name, given.data.data, given.data.options?.cas);
    if (method !== 'PATCH') return refuse(405, 'unsupported operation');
    const found = current(name, new URLSearchParams());
    // Vault says nothing more here.
    if (found.missing) return { status: 404 };
    return add(name, merged(found.data, given.data.data), given.data.options?.cas);
  }

  const remove = (version: Version) => {
    if (version.deletion_time === '') version.deletion_time = now();
  };
  const restore = (version: Version) => {
    if (!version.destroyed) version.deletion_time = '';
  };
  const destroy = (version: Version) => {
    version.destroyed = true;
    version.data = null;
  };

  function marked(name: string, versions: readonly number[], mark: (version: Version) => void): Reply {
    const entry = entries.get(name);
    for (const version of versions) {
      const found = entry?.versions.get(version);
      if (found) mark(found);
    }
    return done;
  }

  function metadata({ method, body }: Request, name: string): Reply {
    if (method === 'LIST') return namesIn(entries.keys(), name);
    if (method === 'GET') {
      const entry = entries.get(name);
      if (!entry) return refuse(404);
      const versions = [...entry.versions].map(([version, { data: _, ...rest }]) => [version, rest] as const);
      return ok({ ...entry, versions: Object.fromEntries(versions) });
    }
    if (method === 'DELETE') {
      entries.delete(name);
      return done;
    }
    const given = metadataBody.safeParse(body);
    if (!given.success) return refuse(400, 'error parsing metadata');
    if (method !== 'POST' && method !== 'PUT') return refuse(405, 'unsupported operation');
    Object.assign(entryAt(name), given.data);
    return done;
  }

  return {
    exists(path) {
      const [what, name] = split(path);
      // Those that act on versions are updates always.
      return !['data', 'metadata'].includes(what) || entries.has(name);
    },
    answer(request) {
      const [what, name] = split(request.path);
      if (name === '' && request.method !== 'LIST') return refuse(405, 'unsupported operation');
      if (what === 'data' && request.method !== 'LIST') return data(request, name);
      if (what === 'metadata') return metadata(request, name);
      if (what === 'subkeys' && request.method === 'GET') {
        const found = current(name, request.query);
        return found.missing ?? ok({ subkeys: emptied(found.data), metadata: found.metadata });
      }
      const mark = new Map([
        ['delete', remove],
        ['undelete', restore],
        ['destroy', destroy],
      ]).get(what);
      if (!mark || (request.method !== 'POST' && request.method !== 'PUT')) return refuse(405, 'unsupported operation');
      const given = versionsBody.safeParse(request.body);
      return given.success ? marked(name, given.data.versions, mark) : refuse(400, 'No version number provided');
    },
  };
}

const split = (path: string): [string, string] => {
  const at = path.indexOf('/');
  return at === -1 ? [path, ''] : [path.slice(0, at), path.slice(at + 1)];
};

const isMap = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** JSON merge patch, RFC 7396. */
function merged(into: Record<string, unknown>, patch: Record<string, unknown>): Record<string, unknown> {
  const result = new Map(Object.entries(into));
  for (const [key, value] of Object.entries(patch)) {
    const before = result.get(key);
    if (value === null) result.delete(key);
    else result.set(key, isMap(value) ? merged(isMap(before) ? before : {}, value) : value);
  }
  return Object.fromEntries(result);
}

const emptied = (data: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(data).map(([key, value]) => [
      key,
      isMap(value) && Object.keys(value).length > 0 ? emptied(value) : null,
    ]),
  );
