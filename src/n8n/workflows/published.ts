import { z } from 'zod';
import { connectionsShape, nodeShape, type Workflow } from '../client/shapes.ts';

export type Version = Pick<Workflow, 'nodes' | 'connections'>;

const shape = z.looseObject({ nodes: z.array(nodeShape), connections: connectionsShape.default({}) });

/** The published version, which n8n sends along with the workflow. */
export function publishedVersion({ activeVersion }: Workflow): Version | undefined {
  const read = shape.safeParse(activeVersion);
  // Name and description of a version are labels in the history, not the workflow's own.
  return read.success ? { nodes: read.data.nodes, connections: read.data.connections } : undefined;
}

/** The version that is live; undefined if none is. The draft may differ. Without drafts (older n8n) it is the workflow. */
export function liveVersion(workflow: Workflow): Version | undefined {
  return workflow.active ? (publishedVersion(workflow) ?? workflow) : undefined;
}
