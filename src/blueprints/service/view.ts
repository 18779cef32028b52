import { fittingItems } from '../../kernel/reply-size.ts';
import type { Json } from '../../kernel/source.ts';
import { isUndo, type Run, type RunHead, type Unit, WHOLE } from '../runs/run.ts';
import { maskOf, maskValue, shownInputs } from '../runs/secrets.ts';
import type { RunHeadView, RunView, StepView } from './run-view.ts';

const LONGEST_ERROR = 400;
const LONGEST_NOTE = 300;
const MOST_VALUE_BYTES = 600;
const MOST_VALUES_BYTES = 1000;
const MOST_ASKED = 1500;

const iso = (ms: number): string => new Date(ms).toISOString();
const cut = (text: string, most: number): string => (text.length > most ? `${text.slice(0, most)}…` : text);

export function viewHead(head: RunHead): RunHeadView {
  const { id, name, state, deployer, createdAt, endedAt, error, waits, parent, schedule } = head;
  return {
    run: id,
    name,
    state,
    deployed_by: deployer,
    created_at: iso(createdAt),
    ...(endedAt !== undefined && { ended_at: iso(endedAt) }),
    ...(error !== undefined && { error: cut(error, LONGEST_ERROR) }),
    ...(waits && { waits_for: `${waits.for} (step ${waits.step})` }),
    ...(parent && { parent: parent.run }),
    ...(schedule !== undefined && { schedule }),
  };
}

/** A run with its timeline. Secrets are in no field. The call that waits for an approval is shown to whoever sees it. */
export function viewRun(
  run: Run,
  units: readonly Unit[],
  redact: (text: string) => string,
  seesAsked = false,
): RunView {
  const mask = maskOf(run, redact);
  const { definition, waits, actor, deployer, wakeAt } = run;
  const steps = definition.steps.map(({ id }) => stepOf(id, units, mask));
  const done = steps.filter(({ state }) => state === 'done' || state === 'skipped').length;
  const frame = {
    ...viewHead(run),
    progress: { done, total: steps.length },
    ...(waits && {
      waits: {
        for: waits.for,
        step: waits.step,
        ...('question' in waits && { question: waits.question }),
        ...('ask' in waits && { ask: waits.ask }),
        ...(seesAsked && run.asked !== undefined && { arguments: cutJson(run.asked) }),
        ...('reason' in waits && { reason: waits.reason }),
        ...('runs' in waits && { runs: waits.runs.slice(0, 20) }),
        ...(wakeAt !== undefined && { until: iso(wakeAt) }),
      },
    }),
    ...(actor !== deployer && { acts_as: actor }),
    inputs: small(shownInputs(definition, run.inputs), mask),
    ...(run.outputs && Object.keys(run.outputs).length > 0 && { outputs: small(run.outputs, mask) }),
    ...nextFor(run),
  };
  const fits = fittingItems(steps, frame);
  return { ...frame, steps: steps.slice(0, fits), ...(fits < steps.length && { more_steps: steps.length - fits }) };
}

/** JSON as data, or the beginning of its text if it would fill the reply. */
const cutJson = (json: string): unknown =>
  json.length > MOST_ASKED ? `${json.slice(0, MOST_ASKED)}…` : (JSON.parse(json) as unknown);

function stepOf(id: string, units: readonly Unit[], mask: (text: string) => string): StepView {
  const own = units.filter(({ step }) => step === id);
  const whole = own.find(({ item, phase }) => item === WHOLE && phase === 'do');
  const items = own.filter(({ item, phase }) => item !== WHOLE && phase === 'do');
  const undone = own.filter(({ phase }) => phase === 'undo');
  if (!whole) return { step: id, state: 'pending' };
  const { state, startedAt, endedAt, attempt, error, note } = whole;
  return {
    step: id,
    state,
    started_at: iso(startedAt),
    ...(endedAt !== undefined && { ms: endedAt - startedAt }),
    ...(attempt > 1 && { attempts: attempt }),
    ...(items.length > 0 && { items: counted(items) }),
    ...(error !== undefined && { error: cut(mask(error), LONGEST_ERROR) }),
    ...(note !== undefined && { note: cut(mask(note), LONGEST_NOTE) }),
    ...(undone.length > 0 && { undo: undone.find((one) => one.state !== 'done')?.state ?? 'done' }),
  };
}

function counted(units: readonly Unit[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { state } of units) counts[state] = (counts[state] ?? 0) + 1;
  return counts;
}

/** Values as they fit into a reply: each, and all together. */
export function small(values: Json, mask: (text: string) => string): Json {
  let left = MOST_VALUES_BYTES;
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => {
      const shown = maskValue(value, mask) ?? null;
      const { length } = JSON.stringify(shown);
      if (length > Math.min(MOST_VALUE_BYTES, left)) return [name, `[${length} characters of JSON]`];
      left -= length;
      return [name, shown];
    }),
  );
}

function nextFor({ id, state, waits, goal, definition }: Run): { next?: string } {
  const next = (text: string) => ({ next: text });
  if (state === 'waiting' && waits?.for === 'approval')
    return next(
      `Somebody decides: blueprint_approve {run: "${id}", step: "${waits.step}"${waits.ask === undefined ? '' : `, ask: "${waits.ask}"`}, approve: true}.`,
    );
  if (state === 'waiting' && waits?.for === 'rights')
    return next(`Somebody who has the rights goes on as himself: blueprint_resume {run: "${id}"}.`);
  if (state === 'unknown' && isUndo(goal))
    return next(`Find out whether the undo took effect. blueprint_undo {run: "${id}"} tries the rest again.`);
  if (state === 'unknown')
    return next(
      `Find out whether the step took effect, then blueprint_resume {run: "${id}", unknown: "done"} or "repeat", or blueprint_undo.`,
    );
  if (state === 'failed')
    return goal === 'finish'
      ? next(`blueprint_resume {run: "${id}"} tries the failed step again; blueprint_undo undoes what was done.`)
      : next(`blueprint_undo {run: "${id}"} tries the rest again.`);
  if (
    (state === 'cancelled' || state === 'succeeded') &&
    definition.steps.some(({ undo, work }) => undo ?? work.kind === 'blueprint')
  )
    return next(`blueprint_undo {run: "${id}"} undoes what was done.`);
  return {};
}
