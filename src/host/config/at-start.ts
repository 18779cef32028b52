import { z } from 'zod';

/** Settings that are read only at start; with `when`, only some changes need a restart. */
const restart = z.registry<{ when?: (before: unknown, after: unknown) => boolean }>();

export function atStart<S extends z.ZodType>(schema: S, when?: (before: never, after: never) => boolean): S {
  restart.add(schema, when ? { when: when as (before: unknown, after: unknown) => boolean } : {});
  return schema;
}

/** The changed keys that need a restart. */
export function needRestart(schema: z.core.$ZodType, before: unknown, after: unknown, path: string[] = []): string[] {
  if (JSON.stringify(before) === JSON.stringify(after)) return [];
  const mark = restart.get(schema);
  if (mark) return (mark.when?.(before, after) ?? true) ? [path.join('.')] : [];
  const def = (schema as z.core.$ZodTypes)._zod.def;
  if ('innerType' in def) return needRestart(def.innerType, before, after, path);
  if (def.type !== 'object') return [];
  return Object.entries(def.shape).flatMap(([key, inner]) =>
    needRestart(inner, valueOf(before, key), valueOf(after, key), [...path, key]),
  );
}

export const valueOf = (tree: unknown, key: string): unknown => (tree as Record<string, unknown> | undefined)?.[key];
