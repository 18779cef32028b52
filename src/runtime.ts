import {
  ConfigError,
  formatProblems,
  type Loaded as AnyLoaded,
  type LoadOptions,
  loadConfig,
} from './host/config/load.ts';
import { type ConfigOf, schemaOf } from './host/config/schema.ts';
import { type Runtime as AnyRuntime, type RuntimeOptions as AnyOptions, startParts } from './host/runtime.ts';
import { AppError } from './kernel/errors.ts';
import { parts } from './parts.ts';
import { version } from './version.ts';

export type Config = ConfigOf<typeof parts>;
export type Loaded = AnyLoaded<Config>;
export type Runtime = AnyRuntime<typeof parts>;
export type RuntimeOptions = Omit<AnyOptions, 'version'>;

export const configSchema = schemaOf(parts);

export const load = (options: LoadOptions): Promise<Loaded> => loadConfig(parts, options);

/** The same for commands that cannot go on without it: every problem is in the error. */
export async function loadOrFail(options: LoadOptions): Promise<Loaded> {
  try {
    return await load(options);
  } catch (error) {
    throw error instanceof ConfigError ? new AppError('invalid_input', formatProblems(error)) : error;
  }
}

export const startRuntime = (options: RuntimeOptions, first?: Loaded): Promise<Runtime> =>
  startParts(parts, { ...options, version }, first);
