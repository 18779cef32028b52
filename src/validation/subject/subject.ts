import type { Catalogue, NodeSummary } from '../../nodes/catalogue.ts';
import type { Configuration } from '../../nodes/configuration/configuration.ts';
import type { NodeDescription, Port, Property } from '../../nodes/description.ts';
import type { Purpose } from '../finding.ts';
import type { ReadProblem } from './read-problem.ts';

/** A workflow, prepared once and read by every rule. Nothing here throws, whatever the workflow looks like. */
export interface Subject {
  readonly purpose: Purpose;
  readonly catalogue: Catalogue;
  /** As it was given. */
  readonly workflow: Readonly<Record<string, unknown>>;
  /** Those with at least a name and a type that are texts; what is wrong with the others, the structure rules say. */
  readonly nodes: readonly NodeView[];
  byName(name: string): NodeView | undefined;
  /** Well-formed connections of which both ends exist. What is wrong with the others, the connection rules say. */
  readonly edges: readonly Edge[];
  from(node: NodeView): readonly Edge[];
  to(node: NodeView): readonly Edge[];
  /** The nodes from which data can reach this one: over `main`, and for a sub-node over the node that it serves. */
  upstream(node: NodeView): NodeSet;
  /** What could not be read at all. The rule `not-a-workflow` says so. */
  readonly problems: readonly ReadProblem[];
  /** What else is on the instance, where it is known. */
  readonly world?: World;
}

/** Asking costs nothing; going through it costs its size. */
export interface NodeSet extends Iterable<NodeView> {
  has(node: NodeView): boolean;
  readonly size: number;
}

export interface World {
  /** The id of the workflow itself, so that it is not compared with its own copy. */
  readonly self?: string;
  readonly workflows?: readonly {
    readonly id: string;
    readonly name: string;
    readonly active: boolean;
    readonly nodes: readonly unknown[];
  }[];
  readonly credentials?: readonly { readonly id: string; readonly name: string; readonly type: string }[];
  /** What is known of a workflow that this one names by its id; nothing where nobody asked. */
  readonly workflow?: (id: string) => NamedWorkflow | 'missing' | undefined;
  readonly dataTables?: readonly { readonly id: string; readonly name: string }[];
}

export interface NamedWorkflow {
  readonly name: string;
  readonly isPublished: boolean;
}

export interface NodeView {
  /** Its place in `workflow.nodes`, and the JSON Pointer to it. */
  readonly index: number;
  readonly pointer: string;
  readonly raw: Readonly<Record<string, unknown>>;
  readonly name: string;
  readonly type: string;
  /** Missing where the node has none: n8n then takes the latest, and so does `description`. */
  readonly version: number | undefined;
  readonly disabled: boolean;
  readonly sticky: boolean;
  readonly trigger: boolean;
  readonly parameters: Readonly<Record<string, unknown>>;
  readonly summary: NodeSummary | undefined;
  /** Of this type and version; missing for what the catalogue does not know. */
  readonly description: NodeDescription | undefined;
  /** Its parameters as n8n reads them: what is shown, what counts by default. */
  configuration(): Configuration | undefined;
  /** Every property that is visible for this configuration, at every depth, with its value (its default, if absent). */
  fields(): readonly Field[];
  /** Every text below `parameters` that is an expression (begins with `=`), in any field. */
  expressions(): readonly ExpressionText[];
  /** For this configuration; `undefined` where it cannot be told. */
  inputs(): readonly Port[] | undefined;
  outputs(): readonly Port[] | undefined;
}

export interface Field {
  readonly property: Property;
  /** The names from the top: `['options', 'headers', '0', 'name']`. */
  readonly path: readonly string[];
  readonly pointer: string;
  readonly given: boolean;
  readonly value: unknown;
}

export interface ExpressionText {
  /** With its leading `=`. */
  readonly text: string;
  readonly pointer: string;
  readonly path: readonly string[];
  readonly property?: Property;
}

export interface Edge {
  readonly source: NodeView;
  readonly target: NodeView;
  /** `main`, `ai_tool`, … at the source and at the target; n8n wants them to be the same. */
  readonly kind: string;
  readonly output: number;
  readonly targetKind: string;
  readonly input: number;
  /** `/connections/Name/main/0/1` */
  readonly pointer: string;
}
