import type { N8nClient } from '../../client/client.ts';
import type { Workflow } from '../../client/shapes.ts';
import { alignRunner, ASKED, isRunnerOf, type Runner } from './align-runner.ts';
import { generatedIn } from '../../generate/generated-in.ts';
import { ownerOf } from '../../generate/owner.ts';
import type { OwnRecords } from '../../generate/records.ts';
import { RUNNER } from './runner-workflow.ts';
import { projectOf } from '../../workflows/project.ts';

/** The runner for a workflow, brought up to date. A new one is created only if `mayWrite` says so. */
export async function runnerFor(
  { client, records, mayWrite }: { client: N8nClient; records: OwnRecords; mayWrite: boolean },
  workflow: Workflow,
  signal: AbortSignal,
): Promise<Runner | undefined> {
  const project = projectOf(workflow)?.id;
  const owner = await ownerOf(records);
  return client.turns.take(RUNNER, async () => {
    const existing = (await generatedIn(client, signal)).find(isRunnerOf(owner, project));
    if (!existing && !mayWrite) return undefined;
    return alignRunner({ client, records, owner, signal }, project, existing, existing ? undefined : ASKED);
  });
}
