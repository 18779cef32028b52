import type { Catalogue } from '../catalogue.ts';
import type { Fragment } from '../fragments/fragment.ts';
import type { NodeType } from '../taxonomy/taxonomy.ts';

/** A subtype that we describe in our own words: what it is for, what to set, and the nodes that do it in n8n. */
export interface CuratedSpec {
  readonly type: NodeType;
  readonly subtype: string;
  /** n8n's nodes behind it, the one that gives it its character first. */
  readonly nodes: readonly [string, ...string[]];
  /** True where this is what the first node is called among the subtypes; otherwise that node also has a name of its own. */
  readonly names: boolean;
  readonly description: string;
  readonly configurations: Readonly<Record<string, Configuration>>;
  readonly inputParams: Readonly<Record<string, Field>>;
  readonly outputParams: Readonly<Record<string, Field>>;
  readonly inputPorts: readonly PortSpec[];
  readonly outputPorts: readonly PortSpec[];
  readonly tags: readonly string[];
  /** AI_AGENT only: what may be attached, as TYPE.SUBTYPE. */
  readonly attachedNodes?: readonly string[];
  readonly examples: readonly CuratedExample[];
  /** What to know before using it: what to do with the fragment, what n8n does otherwise than one would think. */
  readonly guidance: string;
  /** Nodes and connections that n8n takes as they stand, for the versions that this catalogue has. */
  fragment(catalogue: Catalogue): Fragment;
}

export type FieldType = 'string' | 'integer' | 'float' | 'boolean' | 'object' | 'array' | 'any';

export interface Field {
  readonly type: FieldType;
  readonly description: string;
  readonly required?: boolean;
  readonly default?: unknown;
}

export interface Configuration extends Field {
  readonly min?: number;
  readonly max?: number;
  readonly options?: readonly (string | number | boolean)[];
  readonly validationPattern?: string;
  /** Where it stands in the fragment: `Chat Model: options.temperature`, the node's name and the path in its parameters. */
  readonly at?: string;
}

export interface PortSpec {
  /** For a branch of HUMAN_IN_THE_LOOP its name (`confirmed`), else n8n's name of the connection (`main`, `ai_tool`). */
  readonly name: string;
  readonly type: string;
  readonly required: boolean;
  readonly description: string;
  readonly maxConnections?: number;
  /** Which node of the fragment it belongs to, and the how manieth port of that type it is there. */
  readonly node: string;
  readonly index: number;
}

export interface CuratedExample {
  readonly name: string;
  readonly description: string;
  /** Values of `configurations`. */
  readonly configurations: Readonly<Record<string, unknown>>;
  /** What goes in and what comes out of it. */
  readonly input?: Readonly<Record<string, unknown>>;
  readonly output?: Readonly<Record<string, unknown>>;
}
