import type { Catalogue } from '../catalogue.ts';
import type { Fragment } from '../fragments/fragment.ts';
import type { NodeType } from '../taxonomy/taxonomy.ts';

/** A curated subtype: what it is for, what to set, and the n8n nodes that implement it. */
export interface CuratedSpec {
  readonly type: NodeType;
  readonly subtype: string;
  /** n8n's nodes behind it, the main one first. */
  readonly nodes: readonly [string, ...string[]];
  /** True if this is the subtype of the first node itself. False if that node also has its own subtype. */
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
  /** What to know before using it: how to use the fragment, and where n8n behaves unexpectedly. */
  readonly guidance: string;
  /** Nodes and connections that n8n accepts unchanged, in the versions of this catalogue. */
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
  /** Where it is in the fragment, as node name and path in its parameters: `Chat Model: options.temperature`. */
  readonly at?: string;
}

export interface PortSpec {
  /** The name of a HUMAN_IN_THE_LOOP branch (`confirmed`), else n8n's name of the connection (`main`, `ai_tool`). */
  readonly name: string;
  readonly type: string;
  readonly required: boolean;
  readonly description: string;
  readonly maxConnections?: number;
  /** The node of the fragment it belongs to, and its position among that node's ports of this type. */
  readonly node: string;
  readonly index: number;
}

export interface CuratedExample {
  readonly name: string;
  readonly description: string;
  /** Values of `configurations`. */
  readonly configurations: Readonly<Record<string, unknown>>;
  /** Sample data that goes in and comes out. */
  readonly input?: Readonly<Record<string, unknown>>;
  readonly output?: Readonly<Record<string, unknown>>;
}
