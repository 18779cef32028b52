import type { RawAction, RawDefinition, RawStep } from './schema.ts';
import type { Action, Definition, Step, Work } from './shape.ts';

const PARALLEL = 5;

/** The definition that runs, from one whose keys and values were found good. */
export function shaped(raw: RawDefinition): Definition {
  const { name, description, inputs, needs, wants, outputs, schedule } = raw;
  return {
    name,
    ...(description !== undefined && { description }),
    inputs,
    needs,
    wants,
    steps: raw.steps.map(stepOf),
    outputs,
    onFailure: raw.on_failure,
    ...(schedule !== undefined && { schedule }),
  };
}

function stepOf(raw: RawStep): Step {
  const { id, when, for_each: forEach, as = 'item', parallel = PARALLEL, retry, timeout, undo } = raw;
  const { idempotent, confirm } = raw;
  return {
    id,
    work: workOf(raw),
    as,
    parallel,
    // A block of YAML ends with a line break.
    ...(when !== undefined && { when: when.trim() }),
    ...(forEach !== undefined && { forEach: typeof forEach === 'string' ? forEach.trim() : forEach }),
    ...(retry && { retry: { times: retry.times, backoffMs: retry.backoff } }),
    ...(timeout !== undefined && { timeoutMs: timeout }),
    ...(undo && { undo: actionOf(undo) }),
    ...(idempotent !== undefined && { idempotent }),
    ...(confirm && { confirm }),
  };
}

function workOf(raw: RawStep): Work {
  const { approval, wait, blueprint, inputs = {} } = raw;
  if (approval !== undefined) return { kind: 'approval', question: approval };
  if (typeof wait === 'number') return { kind: 'wait', ms: wait };
  if (wait !== undefined)
    return { kind: 'event', event: wait.event, ...(wait.where !== undefined && { where: wait.where.trim() }) };
  if (blueprint !== undefined) return { kind: 'blueprint', blueprint, inputs };
  return actionOf(raw);
}

function actionOf(raw: RawAction): Action {
  const { tool, workflow, webhook = '', instance, input = {}, method = 'POST', headers = {}, body } = raw;
  const where = instance === undefined ? {} : { instance };
  if (tool !== undefined) return { kind: 'tool', tool, arguments: raw.arguments ?? {} };
  if (workflow !== undefined) return { kind: 'workflow', workflow, ...where, input };
  return { kind: 'webhook', webhook, ...where, method, headers, ...(body !== undefined && { body }) };
}
