import { AppError } from '../../kernel/errors.ts';
import type { N8nClient } from '../client/client.ts';
import type { Node, Workflow } from '../client/shapes.ts';
import { isGenerated } from '../generated.ts';
import { liveVersion } from '../workflows/published.ts';

const running = new WeakMap<N8nClient, Promise<Workflow[]>>();

/** Reads every workflow except the ones we generated. Concurrent callers share one scan. */
export async function scanWorkflows(client: N8nClient, signal: AbortSignal): Promise<Workflow[]> {
  let scan = running.get(client);
  if (!scan) {
    // Don't pass the caller's signal: other callers may share this scan.
    scan = Array.fromAsync(client.workflows.all()).then((all) => all.filter((one) => !isGenerated(one)));
    running.set(client, scan);
    const over = () => running.delete(client);
    scan.then(over, over);
  }
  const found = await scan;
  if (signal.aborted) throw new AppError('cancelled', 'The call was cancelled.');
  return found;
}

/** The draft of a workflow, or its live version if that differs. */
export interface Version {
  readonly of: 'saved' | 'live';
  readonly nodes: readonly Node[];
}

export function versionsOf(workflow: Workflow): Version[] {
  const live = workflow.activeVersionId === workflow.versionId ? undefined : liveVersion(workflow)?.nodes;
  return [{ of: 'saved', nodes: workflow.nodes }, ...(live ? [{ of: 'live' as const, nodes: live }] : [])];
}
