import type { Duplex } from 'node:stream';
import type { Env } from '../kernel/env.ts';
import type { StorePlace } from '../store/settings.ts';
import type { Store, StoreOptions } from '../store/store.ts';
import type { View } from '../wire/service.ts';
import type { Check } from './check.ts';
import type { Loaded } from './config/loaded.ts';
import type { Tree } from './config/tree.ts';
import type { Running } from './running.ts';
import type { ServerSettings } from './server-settings.ts';
import type { Terminal } from './terminal.ts';

/** Settings that every part may read. */
export interface HostSettings {
  readonly server: ServerSettings;
}

/** Where a command runs, and how it gets at the configuration, the store and a gateway. */
export interface Place<Settings = object, Apis = object> {
  readonly home: string;
  readonly cache: string;
  readonly cwd: string;
  readonly env: Env;
  readonly version: string;
  readonly terminal: Terminal;
  /** The program and the arguments that start `sluice`; its own words follow. */
  readonly self: { readonly command: string; readonly args: readonly string[] };
  /** Names that Sluice's own sources have. */
  ownNames(): readonly string[];
  /** The checked configuration. Throws a ConfigError with every problem. */
  load(file?: string, flags?: Tree): Promise<Loaded<Settings & HostSettings>>;
  /** The store that the configuration names, whether or not a gateway runs and whatever else is wrong with the file. */
  store(file?: string): Promise<Store>;
  /** Which store that is, without opening it. */
  whichStore(file?: string): Promise<{ readonly place: StorePlace; readonly options: StoreOptions }>;
  /** Starts every part in this process. */
  start(options: StartOptions, loaded: Loaded<Settings & HostSettings>): Promise<Running<Apis>>;
  /** A gateway in this process, ready when every server was tried once or the wanted tool is listed. */
  gateway(options: GatewayOptions): Promise<StartedGateway>;
}

export interface StartOptions {
  readonly file?: string;
  readonly flags?: Tree;
  /** The URL at which it is served, without a path. */
  readonly url?: string;
  /** `--with-n8n`: a local n8n will be started along with it. */
  readonly startsN8n?: boolean;
  /** The log format; without it nothing is logged. */
  readonly log?: { pretty: boolean; colour: boolean };
}

export interface GatewayOptions extends View {
  readonly file?: string;
  readonly tool?: string;
  readonly signal?: AbortSignal;
}

export interface StartedGateway extends AsyncDisposable {
  /** MCP, line by line. */
  readonly stream: Duplex;
  /** What `sluice doctor` shows of it. */
  checks(signal: AbortSignal): AsyncIterable<Check>;
}
