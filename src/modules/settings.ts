import { z } from 'zod';
import { duration } from '../host/config/duration.ts';
import { exposure, flag } from '../host/config/scalars.ts';
import { sourceName } from '../host/config/source-name.ts';
import type { HostOf } from '../host/part.ts';
import { isPem } from '../kernel/pem.ts';
import type { moduleFacts } from './facts.ts';

/** Keys of every module's section. */
export const common = {
  /** Which module it is, if its name says something else: `postgres-staging: { type: postgres }`. */
  type: z.string().min(1).optional(),
  /** The npm package of a module that is not built in. */
  package: z.string().min(1).optional(),
  mode: z.enum(['read-only', 'read-write']).default('read-only'),
  /** How long one call may take. */
  timeout: duration.default(30_000),
  expose: exposure.optional(),
  /** Files, or the text of PEM. */
  ca: z.string().min(1).optional(),
  cert: z.string().min(1).optional(),
  key: z.string().min(1).optional(),
  /** Accepts any certificate. */
  insecure: flag.default(false),
};

const commonSection = z.object(common);

export type CommonSettings = z.output<typeof commonSection>;

/** A section as the file has it. Its module checks all of it, once: values are read differently a second time. */
export type Section = Readonly<Record<string, unknown>>;

/** `redis:` without anything is a section, too. */
const section = z.preprocess((given) => given ?? {}, z.record(z.string(), z.unknown()));

export const modulesSettings = {
  modules: z.record(sourceName, section).default({}),
};

export type ModulesHost = HostOf<typeof modulesSettings, typeof moduleFacts>;

/** Makes paths of certificates absolute, and leaves PEM as it is. */
export function anchored(section: Section, from: (path: string) => string): Section {
  const paths = (['ca', 'cert', 'key'] as const).flatMap((key) => {
    const given = section[key];
    return typeof given === 'string' && !isPem(given) ? [[key, from(given)] as const] : [];
  });
  return { ...section, ...Object.fromEntries(paths) };
}
