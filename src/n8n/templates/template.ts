import type { Connections, Node } from '../client/shapes.ts';

/** A template in a list. */
export interface TemplateSummary {
  /** In the public library its number; in a library of one's own `<library>/<path of the file>`. */
  readonly id: string;
  readonly name: string;
  readonly description?: string;
  /** Types of its nodes, without sticky notes: `n8n-nodes-base.slack`. */
  readonly nodes: readonly string[];
  readonly categories?: readonly string[];
  readonly author?: string;
  readonly views?: number;
  readonly created?: string;
  /** `public`, or the name of a library of one's own. */
  readonly library: string;
}

/** A template with its workflow, as somebody else published it: nothing in it can be trusted. */
export interface Template extends TemplateSummary {
  readonly workflow: {
    readonly nodes: readonly Node[];
    readonly connections: Connections;
    readonly settings?: Readonly<Record<string, unknown>>;
    readonly pinData?: Readonly<Record<string, unknown>>;
  };
  /** When it was read from its library; absent if just now. */
  readonly readAt?: string;
}

/** Where templates come from. */
export interface Templates {
  /** Throws AppError `not_found` with similar names, or `unavailable` if the library is away and the cache has none. */
  get(id: string, signal: AbortSignal): Promise<Template>;
}
