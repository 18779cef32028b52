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

/** Which workflow is meant. Whatever is given as one gets an answer, also what is none. */
export const subjectInput = {
  instance: instanceInput,
  id: idInput.optional().describe('Id of a workflow in n8n; or give "workflow"'),
  workflow: z
    .unknown()
    .optional()
    .meta({ anyOf: [{ type: 'object' }, { type: 'string', description: 'The same as JSON text' }] })
    .describe('The workflow itself, as n8n exports it (object or JSON text), instead of "id"'),
};

/** A tool's arguments that may also be the workflow itself, pasted as it is. */
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
  .describe('What it is to be good for: save (n8n takes it), run (it works; unless told), publish (it can go live)');

export interface Given {
  readonly instance?: string | undefined;
  readonly id?: string | undefined;
  readonly workflow?: unknown;
  readonly purpose?: Purpose | undefined;
}

export interface Chosen {
  readonly catalogue: Catalogue;
  readonly client?: N8nClient;
  /** What is judged. */
  readonly document: unknown;
  /** Where it is one of n8n's. */
  readonly saved?: Workflow;
  readonly world: World;
  readonly notes: readonly string[];
  /** For cursors: the same question has the same. */
  readonly asked: object;
}

/** Reads what was asked about. Without an n8n, what is given is judged by n8n's packages alone. */
export async function chosenWorkflow(given: Given, deps: N8nDeps, signal: AbortSignal): Promise<Chosen> {
  const { id, workflow, instance, purpose } = given;
  if ((id === undefined) === (workflow === undefined)) {
    throw new AppError('invalid_input', 'Say which workflow: its "id" in n8n, or the "workflow" itself; one of them.');
  }
  const connected = instance !== undefined || deps.instances.names().length > 0;
  if (!connected && id !== undefined) {
    throw new AppError('invalid_input', 'No n8n is connected, so there are no ids. Give the "workflow" itself.');
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

// What asks an n8n is loaded where there is one.

/** What n8n adds of its own is no part of what is judged. */
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
