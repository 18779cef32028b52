import type { N8nClient } from '../../client/client.ts';
import type { Workflow } from '../../client/shapes.ts';
import { alignRunner, ASKED, isRunnerOf, type Runner } from './align-runner.ts';
import { generatedIn } from '../../generate/generated-in.ts';
import { headerCredential, headerSecret } from '../../generate/header.ts';
import { ownerOf } from '../../generate/owner.ts';
import type { OwnRecords } from '../../generate/records.ts';
import { RUNNER } from './runner-workflow.ts';
import { projectOf } from '../../workflows/project.ts';

/** The runner for a workflow: the one that is there, brought in line; a new one only where that may be written. */
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
    const credential = await headerCredential({ client, records, owner, project }, signal);
    const writing = { client, owner, secret: await headerSecret(records, client.name), credential, signal };
    const { runner } = await alignRunner(writing, project, existing, existing ? existing.mark.part : ASKED);
    return runner;
  });
}
