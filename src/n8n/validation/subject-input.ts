import { createHash } from 'node:crypto';
import { z } from 'zod';
import { AppError } from '../../kernel/errors.ts';
import type { Catalogue } from '../../nodes/catalogue.ts';
import { type Purpose, purposes } from '../../validation/finding.ts';
import { isRecord } from '../../validation/json/record.ts';
import type { World } from '../../validation/subject/subject.ts';
import type { N8nClient } from '../client/client.ts';
import type { Workflow } from '../client/shapes.ts';
import { instanceInput } from '../instance-input.ts';
import type { Asking } from './world.ts';
import type { N8nDeps } from '../tool.ts';
import { idInput } from '../workflows/id-input.ts';

/** Which workflow to look at. `workflow` accepts anything, so that broken JSON gets findings instead of a schema error. */
export const subjectInput = {
  instance: instanceInput,
  id: idInput.optional().describe('Id of a workflow in n8n; or pass "workflow"'),
  workflow: z
    .unknown()
    .optional()
    .meta({ anyOf: [{ type: 'object' }, { type: 'string', description: 'The same as JSON text' }] })
    .describe('Instead of "id": the workflow itself, as n8n exports it (object or JSON text)'),
};

/** Lets the caller also pass a pasted workflow as the arguments themselves. */
export function aboutSubject<S extends z.ZodObject>(schema: S) {
  return z.preprocess((given) => {
    if (!isRecord(given) || Object.hasOwn(given, 'workflow') || !Object.hasOwn(given, 'nodes')) return given;
    const isOurs = (key: string) => key !== 'id' && Object.hasOwn(schema.shape, key);
    const entries = Object.entries(given);
    return {
      ...Object.fromEntries(entries.filter(([key]) => isOurs(key))),
      workflow: Object.fromEntries(entries.filter(([key]) => !isOurs(key))),
    };
  }, schema);
}

export const purposeInput = z
  .enum(purposes)
  .optional()
  .describe('What to check for: save (n8n accepts it), run (it works; default), publish (it can go live)');

export interface Given {
  readonly instance?: string | undefined;
  readonly id?: string | undefined;
  readonly workflow?: unknown;
  readonly purpose?: Purpose | undefined;
}

export interface Chosen {
  readonly catalogue: Catalogue;
  readonly client?: N8nClient;
  /** The workflow to validate, as given or read. */
  readonly document: unknown;
  /** The workflow in n8n, if there is an id. */
  readonly saved?: Workflow;
  readonly world: World;
  readonly notes: readonly string[];
  /** Identifies the request, for cursors. */
  readonly asked: object;
}

/** Reads the workflow to look at. Without an n8n, the catalogue comes from n8n's packages. */
export async function chosenWorkflow(given: Given, deps: N8nDeps, signal: AbortSignal): Promise<Chosen> {
  const { id, workflow, instance, purpose } = given;
  if ((id === undefined) === (workflow === undefined)) {
    throw new AppError(
      'invalid_input',
      'Pass either the "id" of a workflow in n8n or the "workflow" itself, not both.',
    );
  }
  const connected = instance !== undefined || deps.instances.names().length > 0;
  if (!connected && id !== undefined) {
    throw new AppError('invalid_input', 'No n8n is connected, so there are no ids. Pass the "workflow" itself.');
  }
  const client = connected ? deps.instances.get(instance) : undefined;
  const catalogue = await deps.catalogues.ready(client?.name);
  const { saved, document } = client && id !== undefined ? await existing(client, id, signal) : { document: workflow };
  const { world, notes } = client
    ? await around(
        client,
        { catalogue, purpose: purpose ?? 'run', signal },
        saved ?? (await import('../../validation/subject/read-workflow.ts')).readWorkflow(workflow).workflow,
        saved?.id,
      )
    : { world: {}, notes: [] };
  const asked = {
    instance: client?.name,
    purpose,
    id,
    ...(workflow !== undefined && { workflow: digest(workflow) }),
  };
  return { catalogue, document, world, notes, asked, ...(client && { client }), ...(saved && { saved }) };
}

// Import lazily: without an n8n, none of this is needed.

/** Reads a workflow from n8n, without the fields that n8n adds. */
async function existing(
  client: N8nClient,
  id: string,
  signal: AbortSignal,
): Promise<{ saved?: Workflow; document: unknown }> {
  const [{ existingWorkflow }, { writable }] = await Promise.all([
    import('../workflows/existing.ts'),
    import('../workflows/body.ts'),
  ]);
  const saved = await existingWorkflow(client, id, signal);
  return { saved, document: writable(saved) };
}

async function around(client: N8nClient, asking: Asking, workflow: unknown, self: string | undefined) {
  const { surroundings } = await import('./world.ts');
  return surroundings(client, asking)(workflow, self);
}

function digest(workflow: unknown): string {
  const text = typeof workflow === 'string' ? workflow : JSON.stringify(workflow);
  return createHash('sha256').update(text).digest('base64url').slice(0, 22);
}
