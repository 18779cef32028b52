import { z } from 'zod';
import { AppError } from '../../kernel/errors.ts';
import type { N8nClient } from '../client/client.ts';
import type { Workflow } from '../client/shapes.ts';
import { itemsOf, type N8nItem } from '../items.ts';
import { newestDraft } from '../executions/locate.ts';
import { afterLoss, isLostRun, lostRun } from '../executions/lost-run.ts';
import { type Pins, withPins } from './pins.ts';
import type { Trigger } from './triggers.ts';
import { own } from '../../kernel/own.ts';

const startedShape = z.looseObject({
  executionId: z.coerce.string().optional(),
  waitingForWebhook: z.boolean().optional(),
});

export interface DraftRun {
  /** The input of the trigger. */
  readonly data?: unknown;
  /** By name of a node, the items it outputs instead of running. */
  readonly pins?: Pins;
  /** The node to stop after. */
  readonly upTo?: string | undefined;
  /** Until when to wait if n8n goes away, in milliseconds since 1970. */
  readonly until: number;
  readonly signal: AbortSignal;
}

/** Starts the saved version at this trigger. Returns the execution's id at once. */
export async function startDraft(
  client: N8nClient,
  workflow: Workflow,
  { node, way }: Trigger,
  { data, pins = {}, upTo, until, signal }: DraftRun,
): Promise<string> {
  const asked = Object.hasOwn(pins, node.name);
  const saved = own(workflow.pinData ?? {}, node.name) !== undefined;
  if (way.needsData && data === undefined && !asked && !saved) {
    throw new AppError(
      'invalid_input',
      `${node.name} starts when something happens elsewhere (${node.type}). Give "data": the item that it would output then.`,
    );
  }
  const items = way.items?.(node, data) ?? itemsOf(data ?? {});
  const pinnable = saved || way.runsItself === true;
  const start = { name: node.name, ...(!asked && !pinnable && { data: output(items) }) };
  const pinned = !asked && pinnable && data !== undefined ? { [node.name]: items, ...pins } : pins;
  const began = Date.now();
  const { executionId } = await withPins(client, workflow, pinned, async () => {
    try {
      return await run(client, workflow, start, upTo, signal);
    } catch (error) {
      if (!isLostRun(error)) throw error;
      const after = await afterLoss({ until, signal }, (limit) => newestDraft(client, workflow.id, began, limit));
      if (after.state === 'found') return { executionId: after.execution.id };
      throw lostRun(client, { called: `"${workflow.name}"`, workflow: workflow.id }, after, error);
    }
  });
  if (executionId !== undefined) return executionId;
  throw new AppError('internal', `n8n did not start "${workflow.name}" and does not say why.`);
}

const output = (items: readonly N8nItem[]) => ({
  data: { main: [items] },
  startTime: 0,
  executionTime: 0,
  executionIndex: 0,
  source: [],
});

/** Makes n8n listen at `/webhook-test/…` for one call, as the button in its editor does. */
export async function armTestWebhook(
  client: N8nClient,
  workflow: Workflow,
  { node }: Trigger,
  signal: AbortSignal,
): Promise<void> {
  await run(client, workflow, { name: node.name }, undefined, signal);
}

async function run(
  client: N8nClient,
  { id }: Workflow,
  triggerToStartFrom: object,
  upTo: string | undefined,
  signal: AbortSignal,
) {
  const body = {
    triggerToStartFrom,
    ...(upTo !== undefined && { destinationNode: { nodeName: upTo, mode: 'inclusive' } }),
  };
  return startedShape.parse(
    await client.session.ask('POST', `/workflows/${encodeURIComponent(id)}/run`, { body, signal }),
  );
}
