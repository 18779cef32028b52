import type { DatabaseSync } from 'node:sqlite';
import type { Progress } from '../kernel/progress.ts';
import type { CredentialType, NodeDescription } from './description.ts';
import type { NodeType } from './taxonomy/taxonomy.ts';

/** Where a catalogue comes from. */
export interface Origin {
  readonly from: 'packages' | 'instance';
  /** The version of n8n. */
  readonly n8n: string;
  readonly builtAt: string;
  /** Nodes left out because their description is unusable, and why. */
  readonly broken: readonly { readonly name: string; readonly reason: string }[];
  /** Hash of the input it was built from: if the input's hash differs, the catalogue is out of date. */
  readonly fingerprint?: string;
}

/** One entry of the in-memory index. */
export interface NodeSummary {
  /** n8n's name: `n8n-nodes-base.httpRequest`. */
  readonly name: string;
  readonly title: string;
  readonly description: string;
  /** One of the eight types and the subtype within it: `EXTERNAL_ACTION`, `SLACK`. */
  readonly type: NodeType;
  readonly subtype: string;
  readonly package: string;
  /** From a community package, not from n8n. */
  readonly community: boolean;
  /** Ascending. `latest` is the newest that n8n offers. */
  readonly versions: readonly number[];
  readonly latest: number;
  readonly trigger: boolean;
  readonly usableAsTool: boolean;
  /** The node that this `…Tool` variant was generated from. */
  readonly toolOf?: string;
  /** n8n keeps it for old workflows only. */
  readonly hidden: boolean;
  readonly deprecated: boolean;
}

/** The nodes of one n8n. Synchronous, because everything is on this machine. */
export interface Catalogue {
  readonly origin: Origin;
  /** Holds only Sluice's own texts: neither an n8n nor its packages were reachable. */
  readonly curatedOnly?: true;
  nodes(): readonly NodeSummary[];
  /** By exact full name. */
  node(name: string): NodeSummary | undefined;
  /** The description that covers this version (default: the latest). Parsed once, then cached. */
  description(name: string, version?: number): NodeDescription | undefined;
  /** Prepared details of a node (key: its name) or a curated subtype (key: `TYPE.SUBTYPE`); see details/essentials.ts. */
  essentials?(key: string): string | undefined;
  credentialTypes(): readonly { readonly name: string; readonly displayName: string }[];
  credentialType(name: string): CredentialType | undefined;
  /** For full-text search. */
  readonly database: DatabaseSync;
  close(): void;
}

export type CatalogueState =
  | { readonly state: 'ready'; readonly catalogue: Catalogue }
  | { readonly state: 'building'; readonly done: number; readonly of: number; readonly step: string }
  | { readonly state: 'failed'; readonly reason: string; readonly retryAt?: number }
  | { readonly state: 'missing' };

/** How a caller waits: `signal` cancels, `progress` reports. */
export interface Waiting {
  readonly signal?: AbortSignal;
  readonly progress?: Progress;
}

/** One catalogue per n8n, or the pinned version's if no n8n is connected. */
export interface Catalogues {
  state(instance?: string): CatalogueState;
  /** Does not wait: if there is no catalogue yet, throws an AppError with the build progress or what to do. */
  get(instance?: string): Catalogue;
  /** Waits while it is being built. If it cannot be built, throws an AppError that says what to do. */
  ready(instance?: string, waiting?: Waiting): Promise<Catalogue>;
  /** The nodes of this n8n have changed: rebuilds its catalogue in the background. The old one serves until then. */
  refresh?(instance?: string): void;
  /**
   * Like `ready`, but falls back to the pinned version's catalogue and adds a note. Only for tools that describe nodes:
   * tools that validate or change workflows need the catalogue of that very n8n.
   */
  nearest?(instance?: string, waiting?: Waiting): Promise<{ readonly catalogue: Catalogue; readonly note?: string }>;
}
