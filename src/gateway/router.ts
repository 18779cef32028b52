import { isNamedBy } from '../kernel/callable.ts';
import { AppError } from '../kernel/errors.ts';
import { globMatcher } from '../kernel/glob.ts';
import { own } from '../kernel/own.ts';
import type { Json } from '../kernel/source.ts';
import { isObject } from '../wire/jsonrpc.ts';
import type { Registered, Registry } from './registry.ts';
import type { RouteRule } from './settings.ts';

/** Longest argument that is matched. A caller could evade a route by padding a longer one, so such a call is refused. */
const LONGEST_VALUE = 65_536;

type Condition = (args: Json | undefined) => boolean | AppError;

export interface Router {
  (tool: Registered, args: Json | undefined): Registered | AppError;
  /** The tools that calls of this one can reach, depending on their arguments. */
  reachable(tool: Registered): Registered[];
}

/** Sends a call to another server than its name says if a rule matches its arguments. The first match wins. */
export function createRouter(registry: Registry, rules: () => readonly RouteRule[]): Router {
  let read: readonly RouteRule[] | undefined;
  let compiled: ReturnType<typeof compile>[] = [];
  /** The rules for a tool. */
  function about(tool: Registered) {
    const current = rules();
    if (current !== read) {
      read = current;
      compiled = current.map(compile);
    }
    return compiled.filter(({ fits }) => isNamedBy(fits, tool));
  }

  const target = (tool: Registered, to: string): Registered =>
    registry.all().find((other) => other.source === to && other.entry.tool === tool.entry.tool) ?? tool;

  function route(tool: Registered, args: Json | undefined): Registered | AppError {
    for (const { conditions, to } of about(tool)) {
      const met = all(conditions, args);
      if (met instanceof AppError) return met;
      if (met) return target(tool, to);
    }
    return tool;
  }

  return Object.assign(route, {
    reachable: (tool: Registered) => [...new Set([tool, ...about(tool).map(({ to }) => target(tool, to))])],
  });
}

function compile({ tool, when, to }: RouteRule) {
  return { fits: globMatcher([tool]), conditions: Object.entries(when).map(conditionOf), to };
}

function conditionOf([path, wanted]: [string, RouteRule['when'][string]]): Condition {
  const keys = path.split('.');
  const fits = typeof wanted === 'string' ? globMatcher([wanted]) : undefined;
  return (args) => {
    const value = valueAt(args, keys);
    if (!fits || typeof value !== 'string') return value === wanted;
    if (value.length <= LONGEST_VALUE) return fits(value);
    return new AppError(
      'invalid_input',
      `${path} has ${value.length} characters; the limit is ${LONGEST_VALUE}, because a route depends on it. Nothing was called.`,
    );
  };
}

function all(conditions: readonly Condition[], args: Json | undefined): boolean | AppError {
  for (const condition of conditions) {
    const met = condition(args);
    if (met !== true) return met;
  }
  return true;
}

function valueAt(args: unknown, keys: readonly string[]): unknown {
  let value = args;
  for (const key of keys) value = isObject(value) ? own(value, key) : undefined;
  return value;
}
