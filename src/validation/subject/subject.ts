import type { Catalogue, NodeSummary } from '../../nodes/catalogue.ts';
import type { Configuration } from '../../nodes/configuration/configuration.ts';
import type { NodeDescription, Port, Property } from '../../nodes/description.ts';
import type { Purpose } from '../finding.ts';
import type { ReadProblem } from './read-problem.ts';

/** A workflow, prepared once and read by every rule. Nothing here throws, whatever the workflow looks like. */
export interface Subject {
  readonly purpose: Purpose;
  readonly catalogue: Catalogue;
  /** The unchanged input. */
  readonly workflow: Readonly<Record<string, unknown>>;
  /** The nodes that have at least a name and a type. The structure rules report the others. */
  readonly nodes: readonly NodeView[];
  byName(name: string): NodeView | undefined;
  /** Well-formed connections between existing nodes. The connection rules report the others. */
  readonly edges: readonly Edge[];
  from(node: NodeView): readonly Edge[];
  to(node: NodeView): readonly Edge[];
  /** The nodes from which data can reach this one: over `main`, and for a sub-node over its parent node. */
  upstream(node: NodeView): NodeSet;
  /** Problems with the input itself. `not-a-workflow` reports them. */
  readonly problems: readonly ReadProblem[];
  /** What else is on the instance, if known. */
  readonly world?: World;
}

/** `has` is cheap. Iterating takes time proportional to the workflow. */
export interface NodeSet extends Iterable<NodeView> {
  has(node: NodeView): boolean;
  readonly size: number;
}

export interface World {
  /** The id of the workflow itself, so that it is not compared with its stored version. */
  readonly self?: string;
  readonly workflows?: readonly {
    readonly id: string;
    readonly name: string;
    readonly active: boolean;
    readonly nodes: readonly unknown[];
  }[];
  readonly credentials?: readonly { readonly id: string; readonly name: string; readonly type: string }[];
  /** Looks up a workflow that this one refers to by id; undefined if unknown. */
  readonly workflow?: (id: string) => NamedWorkflow | 'missing' | undefined;
  readonly dataTables?: readonly { readonly id: string; readonly name: string }[];
}

export interface NamedWorkflow {
  readonly name: string;
  readonly isPublished: boolean;
}

export interface NodeView {
  /** The index in `workflow.nodes`, and the JSON Pointer to it. */
  readonly index: number;
  readonly pointer: string;
  readonly raw: Readonly<Record<string, unknown>>;
  readonly name: string;
  readonly type: string;
  /** Undefined if the node has none: n8n then uses the latest, and so does `description`. */
  readonly version: number | undefined;
  readonly disabled: boolean;
  readonly sticky: boolean;
  readonly trigger: boolean;
  readonly parameters: Readonly<Record<string, unknown>>;
  readonly summary: NodeSummary | undefined;
  /** Of this type and version; undefined if the catalogue does not know it. */
  readonly description: NodeDescription | undefined;
  /** The parameters as n8n reads them: which are visible, and their defaults. */
  configuration(): Configuration | undefined;
  /** Every visible property in this configuration, at every depth, with its value or default. */
  fields(): readonly Field[];
  /** Every expression (text that starts with `=`) in the parameters. */
  expressions(): readonly ExpressionText[];
  /** For this configuration; `undefined` if unknown. */
  inputs(): readonly Port[] | undefined;
  outputs(): readonly Port[] | undefined;
}

export interface Field {
  readonly property: Property;
  /** The keys from the top: `['options', 'headers', '0', 'name']`. */
  readonly path: readonly string[];
  readonly pointer: string;
  readonly given: boolean;
  readonly value: unknown;
}

export interface ExpressionText {
  /** Includes the leading `=`. */
  readonly text: string;
  readonly pointer: string;
  readonly path: readonly string[];
  readonly property?: Property;
}

export interface Edge {
  readonly source: NodeView;
  readonly target: NodeView;
  /** `main`, `ai_tool`, … at the source. n8n requires the same kind at the target. */
  readonly kind: string;
  readonly output: number;
  readonly targetKind: string;
  readonly input: number;
  /** `/connections/Name/main/0/1` */
  readonly pointer: string;
}
