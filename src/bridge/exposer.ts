import type { BackendSettings } from '../gateway/settings.ts';
import type { BridgeEvents } from './facts.ts';
import type { ToolSource } from '../kernel/source.ts';
import type { OwnRecords } from '../n8n/generate/records.ts';
import type { Instances } from '../n8n/instances.ts';
import type { Asked } from './asked.ts';
import type { Found } from './discover.ts';
import type { Loops } from './loops/loops.ts';
import type { SharedFile } from './live/shared-file.ts';
import type { WatchState } from './live/watch-state.ts';
import type { BridgeSettings } from './settings.ts';

/** What everything in the bridge may use. */
export interface BridgeDeps {
  readonly instances: Instances;
  readonly records: OwnRecords;
  readonly events: BridgeEvents;
  readonly loops: Loops;
  readonly asked: Asked;
  /** The file that n8n's neighbours share, where the environment names one. */
  shared?(): Pick<SharedFile, 'state' | 'content'> | undefined;
  settings(instance: string): BridgeSettings;
  /** Lets the gateway take over the servers that the bridge has now. */
  serversChanged(): Promise<void>;
  /** Names of other sources: a bridged workflow must not take one of them. */
  taken(): readonly string[];
  /** Where clients reach this gateway, once it serves: whatever in n8n points there would call itself. */
  ownUrls(): readonly string[];
  redact(text: string): string;
  /** Forces another look at an instance, or at one workflow of it, and settles when its tools are listed. */
  refresh(instance: string, workflow?: string): Promise<void>;
  /** What the last look at an instance found. */
  found(instance: string): readonly Found[];
  /** Does something to an instance that no look and no other such thing may come between. */
  exclusively<T>(instance: string, work: (found: readonly Found[], signal: AbortSignal) => Promise<T>): Promise<T>;
  /** Lets the gateway read again what these servers offer: they do not tell of it themselves. */
  reread?(servers: readonly string[]): Promise<void>;
  /** Names of servers that the gateway cannot reach, or not well. */
  failing?(): readonly string[];
  /** How the last look at an instance ended. */
  state(instance: string): WatchState;
}

/** Makes tools of what was found: one for AI tools, one for workflows. */
export interface Exposer extends Partial<AsyncDisposable> {
  readonly sources: readonly ToolSource[];
  /** What was listed before a restart is listed again before anything is found. */
  restore?(): Promise<void>;
  /** After a look that found a change, and after the first; one at a time for an instance. */
  update(instance: string, found: readonly Found[], signal: AbortSignal): Promise<void>;
  /** The instance is no longer configured, or its bridge was switched off. */
  forget(instance: string): Promise<void>;
  /** What the gateway is to serve besides the servers of the file. */
  servers?(): Readonly<Record<string, BackendSettings>>;
  /** What must not be shown. */
  secrets?(): readonly string[];
}
