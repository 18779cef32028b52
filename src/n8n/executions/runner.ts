import { createHash, createHmac } from 'node:crypto';
import { AppError } from '../../kernel/errors.ts';
import type { N8nClient } from '../client/client.ts';
import type { Workflow } from '../client/shapes.ts';
import { runnerWorkflow } from './runner-workflow.ts';

/** The workflow in n8n that calls others for us: the public API cannot run one. */
export interface Runner {
  readonly workflow: Workflow;
  readonly path: string;
  /** Sent with every call; n8n compares it with the credential of the runner's webhook. */
  readonly headers: Readonly<Record<string, string>>;
  readonly made: boolean;
}

const HEADER = 'x-sluice-runner';

/** A runner belongs to one API key: what it is called and what opens it follow from the key, so nothing is to be kept. */
function identity(apiKey: string) {
  const mark = createHash('sha256').update(apiKey).digest('hex').slice(0, 8);
  return {
    name: `Sluice runner ${mark}`,
    path: `sluice-runner-${mark}`,
    secret: createHmac('sha256', apiKey).update('sluice runner').digest('base64url'),
  };
}

/** The runner if there is one that works. */
export async function findRunner(client: N8nClient, signal: AbortSignal): Promise<Runner | undefined> {
  const { name, path, secret } = identity(keyOf(client));
  const { items } = await client.workflows.page({ name, limit: 10 }, signal);
  const workflow = items.find((one) => one.name === name && !one.isArchived && one.active);
  return workflow && { workflow, path, headers: { [HEADER]: secret }, made: false };
}

/** Writes a workflow, a credential for its webhook and, where the key allows it, a tag into n8n. */
export async function makeRunner(client: N8nClient, signal: AbortSignal): Promise<Runner> {
  // Two calls at once would make two.
  return client.turns.take('sluice runner', async () => {
    const found = await findRunner(client, signal);
    if (found) return found;
    const { name, path, secret } = identity(keyOf(client));
    const credential = await client.credentials.create(
      { name, type: 'httpHeaderAuth', data: { name: HEADER, value: secret } },
      signal,
    );
    const workflow = await client.workflows.create(runnerWorkflow(name, path, credential), signal);
    await tag(client, workflow.id, signal);
    return {
      workflow: await client.workflows.publish(workflow.id, signal),
      path,
      headers: { [HEADER]: secret },
      made: true,
    };
  });
}

function keyOf({ http, name }: N8nClient): string {
  const key = http.address.headers['x-n8n-api-key'];
  if (key !== undefined) return key;
  throw new AppError('unauthenticated', `n8n (${name}) has no API key: put one into n8n.${name}.apiKey.`);
}

/** For people who look at their list of workflows; a key that may not tag does without. */
async function tag(client: N8nClient, id: string, signal: AbortSignal): Promise<void> {
  try {
    const tags = await Array.fromAsync(client.tags.all(signal));
    const ours = tags.find(({ name }) => name === 'sluice') ?? (await client.tags.create('sluice', signal));
    await client.workflows.setTags(id, [ours.id], signal);
  } catch (error) {
    if (!(error instanceof AppError) || error.code === 'cancelled') throw error;
  }
}
