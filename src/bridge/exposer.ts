import type { BackendSettings } from '../gateway/settings.ts';
import type { BridgeEvents } from './facts.ts';
import type { Health } from '../kernel/health.ts';
import type { Entry, ToolSource } from '../kernel/source.ts';
import type { OwnRecords } from '../n8n/generate/records.ts';
import type { Instances } from '../n8n/instances.ts';
import type { Asked } from './asked.ts';
import type { Found } from './discover.ts';
import type { Loops } from './loops/loops.ts';
import type { NamedTools } from './live/named-tools.ts';
import type { SharedFile } from './live/shared-file.ts';
import type { WatchState } from './live/watch-state.ts';
import type { BridgeSettings } from './settings.ts';

/** What replicas with one store do for each other. */
export interface Together {
  /** Runs work while no other replica writes into n8n or into the records. `lost` is aborted if that is no longer so. */
  alone<T>(work: (lost: AbortSignal) => Promise<T>): Promise<T>;
  /** Tells the others that the records changed. */
  changed(): void;
}

/** Dependencies that all of the bridge shares. */
export interface BridgeDeps {
  readonly instances: Instances;
  readonly records: OwnRecords;
  readonly events: BridgeEvents;
  readonly loops: Loops;
  readonly asked: Asked;
  /** Undefined if this process is the only one. */
  readonly together?: Together | undefined;
  /** The shared tools file, if one is configured. */
  shared?(): Pick<SharedFile, 'state' | 'content'> | undefined;
  /** The AI tools of an n8n that the shared file names outside of a workflow. */
  named?(instance: string): NamedTools | undefined;
  /** How every n8n is doing. */
  health(): readonly Health[];
  /** A tool of the gateway, listed or not. */
  tool?(name: string): Entry | undefined;
  settings(instance: string): BridgeSettings;
  /** Tells the gateway that the bridge's servers changed. */
  serversChanged(): Promise<void>;
  /** Names of other sources, which a bridged workflow must not use. */
  taken(): readonly string[];
  /** URLs of this gateway, once it serves. A workflow that calls one of them may loop. */
  ownUrls(): readonly string[];
  redact(text: string): string;
  /** Scans an instance, or one workflow of it. Settles when its tools are listed. */
  refresh(instance: string, workflow?: string): Promise<void>;
  /** What the last scan of an instance found. */
  found(instance: string): readonly Found[];
  /** Runs work on an instance while no scan and no other such work runs. */
  exclusively<T>(instance: string, work: (found: readonly Found[], signal: AbortSignal) => Promise<T>): Promise<T>;
  /** Makes the gateway list these servers again. They do not announce changes themselves. */
  reread?(servers: readonly string[]): Promise<void>;
  /** Names of servers that the gateway reports as failed or degraded. */
  failing?(): readonly string[];
  /** How the last scan of an instance ended. */
  state(instance: string): WatchState;
}

/** Turns what was found into tools. There is one for AI tools and one for workflows. */
export interface Exposer extends Partial<AsyncDisposable> {
  readonly sources: readonly ToolSource[];
  /** Lists the tools of the last run again, before the first scan. */
  restore?(): Promise<void>;
  /** Another replica may have changed the records: uses them from now on. */
  reread?(): Promise<void>;
  /** Called after the first scan and after each scan that found a change. Never twice at once for an instance. */
  update(instance: string, found: readonly Found[], signal: AbortSignal): Promise<void>;
  /** Called when the instance is no longer configured, or its bridge is switched off. */
  forget(instance: string): Promise<void>;
  /** Servers for the gateway, in addition to those of the configuration. */
  servers?(): Readonly<Record<string, BackendSettings>>;
  /** Values to redact. */
  secrets?(): readonly string[];
}
