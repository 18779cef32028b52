import type { Node, Workflow } from '../client/shapes.ts';
import { publishedVersion } from '../workflows/published.ts';

/** A node's reference to a credential. */
export interface Reference {
  /** Absent in imported nodes whose credential nobody has chosen yet. */
  readonly id?: string;
  readonly name: string;
  readonly type: string;
  readonly node: string;
  /** Only the published version uses it, the draft no longer does. */
  readonly publishedOnly?: boolean;
}

/** Every credential that a workflow refers to, in the draft and in the published version. */
export function referencesIn(workflow: Workflow): Reference[] {
  const drafted = inNodes(workflow.nodes);
  const known = new Set(drafted.map(keyOf));
  const published = inNodes(publishedVersion(workflow)?.nodes ?? []).filter(
    (reference) => !known.has(keyOf(reference)),
  );
  return [...drafted, ...published.map((reference) => ({ ...reference, publishedOnly: true }))];
}

const keyOf = ({ id, type, node }: Reference): string => JSON.stringify([id, type, node]);

function inNodes(nodes: readonly Node[]): Reference[] {
  return nodes.flatMap((node) =>
    Object.entries(node.credentials ?? {}).map(([type, { id, name }]) => ({
      ...(typeof id === 'string' && { id }),
      name,
      type,
      node: node.name,
    })),
  );
}

/** A workflow that uses a credential. */
export interface User {
  readonly id: string;
  readonly name: string;
  readonly active: boolean;
  readonly archived?: boolean;
  readonly nodes: string[];
  readonly publishedOnly?: boolean;
}

/** How a workflow uses a credential; undefined when it does not. */
export function useOf(workflow: Workflow, credential: string): User | undefined {
  const uses = referencesIn(workflow).filter(({ id }) => id === credential);
  if (uses.length === 0) return undefined;
  return {
    id: workflow.id,
    name: workflow.name,
    active: workflow.active,
    ...(workflow.isArchived && { archived: true }),
    nodes: [...new Set(uses.map(({ node }) => node))],
    ...(uses.every(({ publishedOnly }) => publishedOnly) && { publishedOnly: true }),
  };
}
