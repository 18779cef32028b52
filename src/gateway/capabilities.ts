import type { Era, Json } from '../kernel/source.ts';
import { isObject } from '../wire/jsonrpc.ts';
import type { Backend } from './backends/backend.ts';
import type { Offers } from './own-offers.ts';

/** The capabilities of all backends and of our own sources together, in the form of the client's era. */
export function mergeCapabilities(backends: readonly Backend[], own: Offers, era: Era): Json {
  const all = backends.flatMap((backend) => (backend.catalogue ? [backend.catalogue.capabilities] : []));
  const any = (name: string) =>
    all.filter((capabilities) => isObject(capabilities[name])).map((capabilities) => capabilities[name] as Json);
  const resources = any('resources');
  const merged: Json = { tools: { listChanged: true } };
  const isWatchable = own.resources.length > 0 || resources.some(({ subscribe }) => subscribe === true);
  if (own.resources.length > 0 || resources.length > 0)
    merged.resources = { listChanged: true, ...(isWatchable && { subscribe: true }) };
  if (own.prompts.length > 0 || any('prompts').length > 0) merged.prompts = { listChanged: true };
  const completes = [...own.prompts, ...own.resources].some(({ complete }) => complete);
  if (completes || any('completions').length > 0) merged.completions = {};
  if (any('logging').length > 0) merged.logging = {};
  if (era === 'legacy' && any('tasks').length > 0) merged.tasks = any('tasks').reduce(deepMerge, {});
  for (const name of ['extensions', 'experimental'])
    if (any(name).length > 0) merged[name] = any(name).reduce(deepMerge, {});
  return merged;
}

function deepMerge(into: Json, from: Json): Json {
  const merged = new Map(Object.entries(into));
  for (const [key, value] of Object.entries(from)) {
    const known = merged.get(key);
    merged.set(key, isObject(value) && isObject(known) ? deepMerge(known, value) : value);
  }
  return Object.fromEntries(merged);
}
