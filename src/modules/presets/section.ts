import { z } from 'zod';
import { duration } from '../../host/config/duration.ts';
import { type Finding, findingsOf } from '../../host/config/schema-problems.ts';
import { exposure, httpUrl, text } from '../../host/config/scalars.ts';
import { own } from '../../kernel/own.ts';
import type { Section } from '../settings.ts';
import { ownPreset } from './own-preset.ts';
import type { Preset } from './preset.ts';

/** Keys of every section that is a preset. */
const common = {
  type: z.string().min(1).optional(),
  mode: z.enum(['read-only', 'read-write']).default('read-only'),
  /** How long a call may be silent. */
  timeout: duration.default(60_000),
  expose: exposure.default('compact'),
  /** Added to those of the preset. */
  args: z.array(text).default([]),
  env: z.record(z.string(), text).default({}),
};

export type PresetSection = z.output<z.ZodObject<typeof common>> & Readonly<Record<string, unknown>>;

export interface ReadPreset {
  readonly preset: Preset;
  readonly section: PresetSection;
}

/** A section of a built-in preset, or one with `server`, checked. */
export function readSection(
  name: string,
  preset: Preset | undefined,
  given: Section,
): ReadPreset | { readonly findings: readonly Finding[] } {
  const schema = z.strictObject({ ...common, ...(preset ? keysOf(preset) : { server: ownPreset }) });
  const result = schema.safeParse(given);
  const under = (path: readonly PropertyKey[]) => ['modules', name, ...path];
  if (!result.success) {
    const findings = findingsOf(result.error.issues, schema, given).map(({ path, message, fix }) => {
      const [key] = path as readonly string[];
      const isMissing = key !== undefined && own(given, key) === undefined;
      const example = isMissing ? own(preset?.options ?? {}, key)?.example : undefined;
      return {
        path: under(path),
        message,
        fix: example === undefined ? fix : `Add it, for example ${key}: ${example}.`,
      };
    });
    return { findings };
  }
  const section = result.data as PresetSection;
  const found = preset ?? (section.server as Preset);
  if (section.mode === 'read-write' || found.reads || found.readOnly) return { preset: found, section };
  return {
    findings: [
      {
        path: under(['server']),
        message: 'is read-only, and nothing says which of its tools only read',
        fix: 'Add reads: […] with names or globs of tools, or readOnly: { args: […] } with a flag of the server, or set mode: read-write.',
      },
    ],
  };
}

function keysOf({ options = {}, source }: Preset): Record<string, z.ZodType> {
  const keys = Object.entries(options).map(([key, { type }]) => [key, type] as const);
  return {
    ...('version' in source && {
      version: z
        .string()
        .regex(/^[\w.+-]+$/, 'is not a version')
        .optional(),
    }),
    ...('url' in source && { url: httpUrl.optional() }),
    ...Object.fromEntries(keys),
  };
}
