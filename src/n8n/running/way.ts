import type { Json } from '../../kernel/source.ts';
import type { Node } from '../client/shapes.ts';
import type { N8nItem } from '../items.ts';
import type { Runner } from './runner/align-runner.ts';
import type { WebRequest } from './web-request.ts';

/** Everything Sluice knows about one kind of trigger. */
export interface Way {
  /** Its name in messages. */
  readonly kind: string;
  /** The node types that are triggers of this kind. */
  readonly types: readonly string[];
  /** How it is called while its workflow is published. Absent: nobody can call it; only a run of the draft starts there. */
  readonly outside?: Outside;
  /** Where it answers while its workflow is published, below the address of n8n. */
  address?(node: Node): Address | undefined;
  /** The items that it outputs in a run of the draft with these data. Absent: the data are the items. */
  items?(node: Node, data: unknown): N8nItem[];
  /** In a run of the draft n8n ignores the data and runs the trigger: only pinned data change its output. */
  readonly runsItself?: true;
  /** It waits for an event elsewhere, so a run of the draft has to be given the event's data. */
  readonly needsData?: true;
}

export interface Address {
  readonly path: string;
  readonly method?: string;
}

/** How a published workflow is called. */
export interface Outside {
  /** Another workflow has to call it: the runner that Sluice generates in n8n. */
  readonly needsRunner?: true;
  /** Whether this one can be called. Absent: all of the kind can. */
  isOpen?(node: Node): boolean;
  /** The request that starts it, with data in any form that suits the trigger. */
  request(node: Node, data: unknown, target: Target): Starting;
  /** The same for a tool, which has an input schema. */
  tool(trigger: { readonly node: Node; readonly example?: unknown }, target: Target): ToolCall | Unfit;
  /** The parts of an example that show the input; others, such as headers, may hold secrets. Absent: all of it. */
  readonly exampleParts?: readonly string[];
  /** The description of the tool, if the workflow has none. */
  description?(workflow: string): string;
}

/** The workflow to call, and the runner for those that need it. */
export interface Target {
  readonly workflow: { readonly id: string; readonly name: string };
  runner(): Runner;
}

export interface Starting extends WebRequest {
  /** Texts that only the data of this execution contain together. Absent: the trace header identifies it. */
  readonly marks?: readonly string[];
}

/**
 * Where the result is: in the answer; in the lines of a streamed answer; in the execution, because n8n answers before the
 * workflow has run; or in the answer of the runner.
 */
export type Answering = 'answer' | 'stream' | 'execution' | 'runner';

/** How a workflow is called with the arguments of a tool. */
export interface ToolCall {
  readonly schema: Json;
  readonly answering: Answering;
  request(args: Json): WebRequest;
}

/** Why a workflow cannot be a tool, and what would make it one. */
export interface Unfit {
  readonly reason: string;
}
