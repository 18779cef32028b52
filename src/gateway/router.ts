import { globMatcher } from '../kernel/glob.ts';
import type { Json } from '../kernel/source.ts';
import { isObject } from '../wire/jsonrpc.ts';
import type { Registered, Registry } from './registry.ts';
import type { RouteRule } from './settings.ts';

/** Sends a call to another server than its name says, where a rule matches its arguments. The first match wins. */
export function createRouter(
  registry: Registry,
  rules: () => readonly RouteRule[],
): (tool: Registered, args: Json | undefined) => Registered {
  return (tool, args) => {
    for (const rule of rules()) {
      if (!globMatcher([rule.tool])(tool.name)) continue;
      if (!Object.entries(rule.when).every(([path, wanted]) => matches(valueAt(args, path), wanted))) continue;
      return registry.all().find((other) => other.source === rule.to && other.entry.tool === tool.entry.tool) ?? tool;
    }
    return tool;
  };
}

function valueAt(args: unknown, path: string): unknown {
  let value = args;
  for (const key of path.split('.')) value = isObject(value) ? value[key] : undefined;
  return value;
}

function matches(value: unknown, wanted: RouteRule['when'][string]): boolean {
  return typeof wanted === 'string' && typeof value === 'string' ? globMatcher([wanted])(value) : value === wanted;
}
