import { type Loaded as AnyLoaded, type LoadOptions, loadConfig } from './host/config/load.ts';
import { type ConfigOf, schemaOf } from './host/config/schema.ts';
import { type Runtime as AnyRuntime, type RuntimeOptions as AnyOptions, startParts } from './host/runtime.ts';
import { parts } from './parts.ts';
import { version } from './version.ts';

export type Config = ConfigOf<typeof parts>;
export type Loaded = AnyLoaded<Config>;
export type Runtime = AnyRuntime<typeof parts>;
export type RuntimeOptions = Omit<AnyOptions, 'version'>;

export const configSchema = schemaOf(parts);

export const load = (options: LoadOptions): Promise<Loaded> => loadConfig(parts, options);

export const startRuntime = (options: RuntimeOptions, first?: Loaded): Promise<Runtime> =>
  startParts(parts, { ...options, version }, first);
