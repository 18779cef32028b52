import { AppError } from '../../../kernel/errors.ts';
import type { N8nClient } from '../../client/client.ts';
import type { OwnRecords } from '../../generate/records.ts';
import { pause } from '../../pause.ts';
import type { Generated } from '../../generate/generated-in.ts';
import { HEADER, headerCredential, headerSecret } from '../../generate/header.ts';
import { generatedPath } from '../../generate/path.ts';
import { RUNNER, runnerWorkflow } from './runner-workflow.ts';
import { isAsWritten, writeGenerated } from '../../generate/write.ts';

const PATIENCE_MS = 20_000;
const STEP_MS = 100;

/** The generated workflow that calls sub-workflows. */
export interface Runner {
  /** Id of that workflow. */
  readonly workflow: string;
  /** Below `/webhook/`. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** Marks a runner that a call asked for. The bridge does not delete it. */
export const ASKED = 'asked';

/** Finds our runner of a project among all generated workflows. */
export const isRunnerOf =
  (owner: string, project: string | undefined) =>
  ({ mark }: Generated): boolean =>
    mark.kind === RUNNER && mark.owner === owner && mark.source === project;

interface Aligning {
  readonly client: N8nClient;
  readonly records: OwnRecords;
  /** Which Sluice we are. */
  readonly owner: string;
  readonly signal: AbortSignal;
}

/** Creates or updates the runner of a project as needed, and waits until it answers. */
export async function alignRunner(
  { client, records, owner, signal }: Aligning,
  project: string | undefined,
  existing: Generated | undefined,
  part = existing?.mark.part,
): Promise<Runner> {
  const credential = await headerCredential({ client, records, owner, project }, signal);
  const path = generatedPath(owner, project ?? '', RUNNER);
  const { body, hash } = runnerWorkflow({
    path,
    credential,
    mark: {
      owner,
      ...(project !== undefined && { source: project }),
      ...(part !== undefined && { part }),
    },
  });
  const isCurrent =
    existing?.mark.hash === hash &&
    existing.workflow.active &&
    !existing.workflow.isArchived &&
    isAsWritten(existing.workflow, body);
  const workflow = isCurrent
    ? existing.workflow.id
    : (await writeGenerated(client, body, { project, existing }, signal)).id;
  await untilOpen();
  return { workflow, path, headers: { [HEADER]: await headerSecret(records, client.name) } };

  // Without the header a live webhook answers 403; one that is not live yet answers 404.
  async function untilOpen(): Promise<void> {
    for (const until = Date.now() + PATIENCE_MS; ; await pause(STEP_MS, signal)) {
      const { status } = await client.plain.send('POST', `/webhook/${path}`, { body: {}, signal });
      if (status === 403) return;
      if (Date.now() > until) {
        throw new AppError(
          'unavailable',
          `The generated workflow "${body.name}" in n8n (${client.name}) is not live yet (it answers ${status}). Try again later.`,
        );
      }
    }
  }
}
