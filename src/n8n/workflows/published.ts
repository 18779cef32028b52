import { z } from 'zod';
import { connectionsShape, nodeShape, type Workflow } from '../client/shapes.ts';
import type { Comparable } from '../diff/diff.ts';

const shape = z.looseObject({ nodes: z.array(nodeShape), connections: connectionsShape });

/** The version of a workflow that is live, as n8n sends it along. */
export function publishedVersion({ activeVersion }: Workflow): Pick<Comparable, 'nodes' | 'connections'> | undefined {
  const read = shape.safeParse(activeVersion);
  // A version's own name and description are labels in the history, not those of the workflow.
  return read.success ? { nodes: read.data.nodes, connections: read.data.connections } : undefined;
}
