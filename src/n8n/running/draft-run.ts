import { z } from 'zod';
import { AppError } from '../../kernel/errors.ts';
import type { N8nClient } from '../client/client.ts';
import type { Workflow } from '../client/shapes.ts';
import { itemsOf, type N8nItem } from '../items.ts';
import { formItem } from './fill-form.ts';
import { newestDraft } from '../executions/locate.ts';
import { afterLoss, isLostRun, lostRun } from '../executions/lost-run.ts';
import { type Pins, withPins } from './pins.ts';
import type { Trigger, TriggerKind } from './triggers.ts';
import { own } from '../../kernel/own.ts';

const startedShape = z.looseObject({
  executionId: z.coerce.string().optional(),
  waitingForWebhook: z.boolean().optional(),
});

export interface DraftRun {
  /** What the trigger begins with. */
  readonly data?: unknown;
  /** By name of a node, the items it gives out instead of running. */
  readonly pins?: Pins;
  /** The node to stop after. */
  readonly upTo?: string | undefined;
  /** How long an n8n that goes away is waited for, in milliseconds since 1970. */
  readonly until: number;
  readonly signal: AbortSignal;
}

/** These run by themselves whatever they are handed; only a pin makes them give out something else. */
const headstrong: ReadonlySet<TriggerKind> = new Set(['manual', 'schedule', 'other']);

/** Runs a workflow as it is saved, beginning at this trigger. Returns the execution's id at once. */
export async function startDraft(
  client: N8nClient,
  workflow: Workflow,
  trigger: Trigger,
  { data, pins = {}, upTo, until, signal }: DraftRun,
): Promise<string> {
  const asked = Object.hasOwn(pins, trigger.name);
  const saved = own(workflow.pinData ?? {}, trigger.name) !== undefined;
  if (trigger.kind === 'other' && data === undefined && !asked && !saved) {
    throw new AppError(
      'invalid_input',
      `${trigger.name} begins when something happens elsewhere (${trigger.type}). Give "data": the item that it would give out then.`,
    );
  }
  const items = triggerItems(trigger, data);
  const pinnable = saved || headstrong.has(trigger.kind);
  const start = { name: trigger.name, ...(!asked && !pinnable && { data: output(items) }) };
  const pinned = !asked && pinnable && data !== undefined ? { [trigger.name]: items, ...pins } : pins;
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
  throw new AppError('internal', `n8n did not begin to run "${workflow.name}", and does not say why.`);
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
  trigger: Trigger,
  signal: AbortSignal,
): Promise<void> {
  await run(client, workflow, { name: trigger.name }, undefined, signal);
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

/** What a trigger would give out had it been called with this. */
function triggerItems(trigger: Trigger, data: unknown): N8nItem[] {
  // The body of a request is passed on as it is: it may look like anything.
  if (trigger.kind === 'webhook') return [{ json: { headers: {}, params: {}, query: {}, body: data ?? {} } }];
  if (trigger.kind === 'chat') return [{ json: chatMessage(data ?? {}) }];
  if (trigger.kind === 'form' && data !== undefined) return [{ json: formItem(trigger, data) }];
  return itemsOf(data ?? {});
}

/** A chat takes a text, or an object with one in `chatInput`. */
export function chatMessage(data: unknown): { action: string; sessionId: string; chatInput: string } {
  const given = typeof data === 'string' ? { chatInput: data } : (data as Record<string, unknown>);
  if (typeof given.chatInput !== 'string') {
    throw new AppError('invalid_input', 'A chat is sent a text: data is that text, or { chatInput, sessionId? }.');
  }
  const sessionId = typeof given.sessionId === 'string' ? given.sessionId : crypto.randomUUID();
  return { action: 'sendMessage', ...given, sessionId, chatInput: given.chatInput };
}
