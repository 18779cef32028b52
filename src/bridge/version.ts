import { z } from 'zod';
import { connectionsShape, nodeShape, type Workflow } from '../n8n/client/shapes.ts';

export type Version = Pick<Workflow, 'nodes' | 'connections'>;

const versionShape = z.looseObject({ nodes: z.array(nodeShape), connections: connectionsShape });

/** What is live; of a workflow that is not, what is saved. A draft that somebody works on is nobody else's yet. */
export function effectiveVersion({ active, activeVersion, nodes, connections }: Workflow): Version {
  const live = active ? versionShape.safeParse(activeVersion) : undefined;
  return live?.success ? live.data : { nodes, connections };
}
