import type { NodeSummary } from '../catalogue.ts';
import type { NodeDescription } from '../description.ts';
import type { Connections } from '../links.ts';

export interface Asked {
  readonly node: NodeSummary;
  readonly description: NodeDescription;
  readonly version: number;
  readonly parameters: Record<string, unknown>;
}

/** A node for the other end of a line. */
export interface Candidate {
  readonly node: string;
  readonly title: string;
  readonly why?: string;
  /** What must be set in it for that. */
  readonly parameters?: Record<string, unknown>;
}

/** One input or output, and what may stand at its other end. */
export interface PortSuggestion {
  readonly kind: string;
  /** The how manieth of its kind: what a connection calls `index`. */
  readonly index: number;
  readonly name?: string;
  readonly for?: string;
  readonly required?: true;
  readonly most?: number;
  readonly candidates: Candidate[];
  /** Further candidates that are not shown. */
  readonly more?: number;
}

export interface Suggestion {
  /** Attachments without which it does not run. */
  readonly needs: string[];
  readonly inputs: PortSuggestion[];
  readonly outputs: PortSuggestion[];
  readonly example?: Example;
  readonly notes: string[];
}

/** Nodes by the names that the connections use, and connections as n8n takes them. */
export interface Example {
  readonly nodes: {
    readonly name: string;
    readonly type: string;
    readonly typeVersion: number;
    readonly parameters?: Record<string, unknown>;
  }[];
  readonly connections: Connections;
}
