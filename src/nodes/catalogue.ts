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
  /** Nodes whose description could not be used, and why; they are left out. */
  readonly broken: readonly { readonly name: string; readonly reason: string }[];
  /** Of what it was built from: another one means that it is out of date. */
  readonly fingerprint?: string;
}

/** A node in the index that is held in memory. */
export interface NodeSummary {
  /** As n8n spells it: `n8n-nodes-base.httpRequest`. */
  readonly name: string;
  readonly title: string;
  readonly description: string;
  /** One of the eight, and its name below it: `EXTERNAL_ACTION`, `SLACK`. */
  readonly type: NodeType;
  readonly subtype: string;
  readonly package: string;
  /** Not one of n8n's own. */
  readonly community: boolean;
  /** Ascending; the last one that n8n offers is `latest`. */
  readonly versions: readonly number[];
  readonly latest: number;
  readonly trigger: boolean;
  readonly usableAsTool: boolean;
  /** The node that this generated `…Tool` variant stands for. */
  readonly toolOf?: string;
  /** n8n keeps it for old workflows only. */
  readonly hidden: boolean;
  readonly deprecated: boolean;
}

/** What is known of the nodes of one n8n. Synchronous: everything is on this machine. */
export interface Catalogue {
  readonly origin: Origin;
  /** It is no more than what we wrote ourselves: neither an n8n nor its packages could be asked. */
  readonly curatedOnly?: true;
  nodes(): readonly NodeSummary[];
  /** By the whole name, exactly. */
  node(name: string): NodeSummary | undefined;
  /** The description that covers this version; the latest unless told. Parsed once, then kept. */
  description(name: string, version?: number): NodeDescription | undefined;
  /** What details say of a node (by its name) or of a curated subtype (`TYPE.SUBTYPE`), prepared: see details/essentials.ts. */
  essentials?(key: string): string | undefined;
  credentialTypes(): readonly { readonly name: string; readonly displayName: string }[];
  credentialType(name: string): CredentialType | undefined;
  /** For the full-text search beside it. */
  readonly database: DatabaseSync;
  close(): void;
}

export type CatalogueState =
  | { readonly state: 'ready'; readonly catalogue: Catalogue }
  | { readonly state: 'building'; readonly done: number; readonly of: number; readonly step: string }
  | { readonly state: 'failed'; readonly reason: string; readonly retryAt?: number }
  | { readonly state: 'missing' };

/** How a caller waits: until told otherwise, and hearing how far it is. */
export interface Waiting {
  readonly signal?: AbortSignal;
  readonly progress?: Progress;
}

/** One catalogue for each n8n, or the one of the pinned version where there is none. */
export interface Catalogues {
  state(instance?: string): CatalogueState;
  /** As it is at this moment. Throws an AppError that says how far the building is, or what to do. */
  get(instance?: string): Catalogue;
  /** Waits while it is being built. Throws an AppError that says what to do where it cannot be had. */
  ready(instance?: string, waiting?: Waiting): Promise<Catalogue>;
  /**
   * The same for whoever only tells of nodes: where those of an n8n cannot be had, those of the pinned version, with a
   * note that says so. What judges or changes workflows must not take one n8n for another.
   */
  nearest?(instance?: string, waiting?: Waiting): Promise<{ readonly catalogue: Catalogue; readonly note?: string }>;
}
