import { createHash } from 'node:crypto';
import { AppError } from '../../kernel/errors.ts';
import { shown } from '../../kernel/nearest-names.ts';
import type { Era, Json } from '../../kernel/source.ts';
import { isObject } from '../../wire/jsonrpc.ts';
import type { Handshake } from '../../wire/handshake.ts';
import type { Upstream } from '../../wire/upstream.ts';
import type { BackendSettings } from '../settings.ts';
import { wellFormed } from './well-formed.ts';

export interface CacheHint {
  ttlMs: number;
  cacheScope: 'public' | 'private';
}

/** What a backend offers, in its own words. */
export interface Catalogue {
  era: Era;
  /** When the era was last probed: an update may change it. */
  probedAt: number;
  /** Whether a 2026 server also speaks 2025, and when that was tried; absent until a client needs it. */
  legacy?: { spoken: boolean; at: number };
  version: string;
  info: Json;
  capabilities: Json;
  instructions?: string;
  tools: Json[];
  prompts: Json[];
  resources: Json[];
  templates: Json[];
  hints: Record<ListKind, CacheHint>;
  /** Items that were left out or cut, and why. */
  rejected: string[];
}

export type ListKind = 'tools' | 'prompts' | 'resources' | 'templates';

const lists: Record<ListKind, { method: string; field: string; capability: string; key: string }> = {
  tools: { method: 'tools/list', field: 'tools', capability: 'tools', key: 'name' },
  prompts: { method: 'prompts/list', field: 'prompts', capability: 'prompts', key: 'name' },
  resources: { method: 'resources/list', field: 'resources', capability: 'resources', key: 'uri' },
  templates: {
    method: 'resources/templates/list',
    field: 'resourceTemplates',
    capability: 'resources',
    key: 'uriTemplate',
  },
};

/** The capability that announces this list. */
export const capabilityOf = (kind: ListKind): string => lists[kind].capability;

export const listKinds = Object.keys(lists) as ListKind[];

/** 2025 servers give no cache hints: do not cache, do not share. */
const noHint: CacheHint = { ttlMs: 0, cacheScope: 'private' };
const MAX_PAGES = 1000;
/** No real server has this many, and listing more would stall everyone else. */
const MAX_ITEMS: Record<ListKind, number> = { tools: 10_000, prompts: 10_000, resources: 50_000, templates: 1000 };
const MAX_REJECTED = 100;

type Ask = (method: string, params: Json) => ReturnType<Upstream['request']>;

export function emptyCatalogue(handshake: Handshake, probedAt: number): Catalogue {
  const { era, version, info, capabilities, instructions } = handshake;
  const hints = Object.fromEntries(listKinds.map((kind) => [kind, noHint])) as Catalogue['hints'];
  return {
    era,
    probedAt,
    version,
    info,
    capabilities,
    ...(instructions !== undefined && { instructions }),
    tools: [],
    prompts: [],
    resources: [],
    templates: [],
    hints,
    rejected: [],
  };
}

/** Reads all pages of one list. A malformed item affects only itself. */
export async function fetchList(
  kind: ListKind,
  capabilities: Json,
  ask: Ask,
): Promise<{ items: Json[]; hint: CacheHint; rejected: string[] }> {
  const { method, field, capability } = lists[kind];
  const items = new Map<string, Json>();
  const rejected: string[] = [];
  let hint: CacheHint | undefined;
  let cursor: string | undefined;
  const followed = new Set<string>();
  if (!isObject(capabilities[capability]))
    return { items: [], hint: { ttlMs: Number.MAX_SAFE_INTEGER, cacheScope: 'public' }, rejected };
  for (let page = 0; page < MAX_PAGES; page++) {
    const answer = await ask(method, cursor === undefined ? {} : { cursor });
    if ('error' in answer) {
      // Servers with resources but no templates often do not know the method.
      if (answer.error.code === -32601) break;
      throw new AppError('unavailable', `${method} failed: ${answer.error.message} (${answer.error.code}).`);
    }
    const { result } = answer;
    hint = mergeHints([...(hint ? [hint] : []), hintOf(result)]);
    for (const given of Array.isArray(result[field]) ? result[field] : []) {
      if (items.size >= MAX_ITEMS[kind]) {
        rejected.unshift(`${kind}: only the first ${MAX_ITEMS[kind]} are listed`);
        return { items: [...items.values()], hint, rejected: rejected.slice(0, MAX_REJECTED) };
      }
      addTo(items, rejected, kind, given);
    }
    if (rejected.length > MAX_REJECTED) rejected.length = MAX_REJECTED;
    // Some servers hand out cursors that lead in a circle.
    if (typeof result.nextCursor !== 'string' || followed.has(result.nextCursor)) break;
    cursor = result.nextCursor;
    followed.add(cursor);
  }
  return { items: [...items.values()], hint: hint ?? noHint, rejected };
}

function addTo(items: Map<string, Json>, rejected: string[], kind: ListKind, given: unknown): void {
  const checked = wellFormed(kind, given);
  if ('invalid' in checked) return void rejected.push(checked.invalid);
  rejected.push(...checked.dropped);
  const id = checked.item[lists[kind].key] as string;
  if (items.has(id)) rejected.push(`${kind}: ${shown(id)} is listed twice`);
  else items.set(id, checked.item);
}

/**
 * Reads a stored catalogue, as far as it is valid: another version of Sluice may have written it, or it may hold items
 * that are refused by now. Undefined if it is not usable at all.
 */
export function restoredCatalogue(kept: unknown): Catalogue | undefined {
  if (!isObject(kept)) return undefined;
  const { era, version, instructions } = kept;
  if ((era !== 'legacy' && era !== 'modern') || typeof version !== 'string') return undefined;
  const handshake: Handshake = {
    era,
    version,
    info: isObject(kept.info) ? kept.info : {},
    capabilities: isObject(kept.capabilities) ? kept.capabilities : {},
    ...(typeof instructions === 'string' && { instructions }),
  };
  const restored = emptyCatalogue(handshake, typeof kept.probedAt === 'number' ? kept.probedAt : 0);
  const { legacy } = kept;
  if (isObject(legacy) && typeof legacy.spoken === 'boolean' && typeof legacy.at === 'number')
    restored.legacy = { spoken: legacy.spoken, at: legacy.at };
  restored.rejected = Array.isArray(kept.rejected) ? kept.rejected.filter((one) => typeof one === 'string') : [];
  for (const kind of listKinds) {
    const items = new Map<string, Json>();
    for (const given of Array.isArray(kept[kind]) ? kept[kind] : []) addTo(items, restored.rejected, kind, given);
    restored[kind] = [...items.values()];
    const hint = isObject(kept.hints) ? kept.hints[kind] : undefined;
    if (isObject(hint)) restored.hints[kind] = hintOf(hint);
  }
  return restored;
}

function hintOf(result: Json): CacheHint {
  return {
    ttlMs: typeof result.ttlMs === 'number' && result.ttlMs >= 0 ? result.ttlMs : 0,
    cacheScope: result.cacheScope === 'public' ? 'public' : 'private',
  };
}

export function mergeHints(hints: readonly CacheHint[]): CacheHint {
  return {
    ttlMs: Math.min(...hints.map(({ ttlMs }) => ttlMs)),
    cacheScope: hints.every(({ cacheScope }) => cacheScope === 'public') ? 'public' : 'private',
  };
}

/** Identifies what a catalogue was read from: another command, URL or account has another catalogue. */
export function fingerprintOf({ transport, catalogueKey }: BackendSettings): string {
  return createHash('sha256')
    .update(catalogueKey ?? JSON.stringify(transport))
    .digest('base64url');
}

/** Identifies a tool's definition, whatever the order of its keys. */
export function definitionHash(tool: Json): string {
  return createHash('sha256').update(stable(tool)).digest('base64url');
}

function stable(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(stable).join(',')}]`;
  if (!isObject(value)) return JSON.stringify(value) ?? 'null';
  return `{${Object.keys(value)
    .sort()
    .map((key) => `${JSON.stringify(key)}:${stable(value[key])}`)
    .join(',')}}`;
}
