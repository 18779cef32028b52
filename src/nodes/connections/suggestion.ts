import type { NodeSummary } from '../catalogue.ts';
import type { NodeDescription } from '../description.ts';
import type { Connections } from '../links.ts';

export interface Asked {
  readonly node: NodeSummary;
  readonly description: NodeDescription;
  readonly version: number;
  readonly parameters: Record<string, unknown>;
}

/** A node for the other end of a connection. */
export interface Candidate {
  readonly node: string;
  readonly title: string;
  readonly why?: string;
  /** Parameters it needs so that the connection is possible. */
  readonly parameters?: Record<string, unknown>;
}

/** One input or output, and what to connect to it. */
export interface PortSuggestion {
  readonly kind: string;
  /** Position among the ports of its kind: `index` in a connection. */
  readonly index: number;
  readonly name?: string;
  readonly for?: string;
  readonly required?: true;
  readonly most?: number;
  readonly candidates: Candidate[];
  /** Number of candidates not shown. */
  readonly more?: number;
}

export interface Suggestion {
  /** Kinds of attachment without which it does not run. */
  readonly needs: string[];
  readonly inputs: PortSuggestion[];
  readonly outputs: PortSuggestion[];
  readonly example?: Example;
  readonly notes: string[];
}

/** Nodes, and their connections in n8n's format. */
export interface Example {
  readonly nodes: {
    readonly name: string;
    readonly type: string;
    readonly typeVersion: number;
    readonly parameters?: Record<string, unknown>;
  }[];
  readonly connections: Connections;
}
