import { z } from 'zod';
import { type Finding, findingsOf } from '../host/config/schema-problems.ts';
import { own } from '../kernel/own.ts';
import type { AnyModule } from './module.ts';
import { common, type CommonSettings } from './settings.ts';

/** A section, checked by its module. */
export function parsed(
  name: string,
  module: AnyModule,
  section: unknown,
): { readonly settings: CommonSettings } | { readonly findings: readonly Finding[] } {
  const schema = z.strictObject({ ...common, ...module.settings.shape });
  const result = schema.safeParse(section ?? {});
  const under = (path: readonly PropertyKey[]) => ['modules', name, ...path];
  if (!result.success)
    return {
      findings: findingsOf(result.error.issues, schema, section ?? {}).map((one) => ({
        ...one,
        path: under(one.path),
      })),
    };
  const settings = result.data as CommonSettings & Record<string, unknown>;
  const problems = module.problems?.(settings) ?? [];
  if (problems.length > 0)
    return {
      findings: problems.map(({ key, message, fix }) => ({
        path: under(key === undefined ? [] : [key]),
        message,
        fix,
      })),
    };
  const lists = module.writesNeed ?? [];
  if (settings.mode === 'read-only' || lists.length === 0 || lists.some((list) => own(settings, list) !== undefined))
    return { settings };
  return {
    findings: [
      {
        path: under(['mode']),
        message: `is read-write, and nothing says what may be changed`,
        fix: `Add ${lists.map((list) => `${list}: […]`).join(' or ')}, with names or globs, or remove mode.`,
      },
    ],
  };
}
