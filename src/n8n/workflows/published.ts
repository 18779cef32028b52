import { z } from 'zod';
import { connectionsShape, nodeShape, type Workflow } from '../client/shapes.ts';

export type Version = Pick<Workflow, 'nodes' | 'connections'>;

const shape = z.looseObject({ nodes: z.array(nodeShape), connections: connectionsShape.default({}) });

/** The version of a workflow that was published, as n8n sends it along. */
export function publishedVersion({ activeVersion }: Workflow): Version | undefined {
  const read = shape.safeParse(activeVersion);
  // A version's own name and description are labels in the history, not those of the workflow.
  return read.success ? { nodes: read.data.nodes, connections: read.data.connections } : undefined;
}

/** What runs now; undefined while nothing does. A draft may differ from it; older versions of n8n have no drafts. */
export function liveVersion(workflow: Workflow): Version | undefined {
  return workflow.active ? (publishedVersion(workflow) ?? workflow) : undefined;
}
