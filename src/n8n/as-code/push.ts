import { messageOf } from '../../kernel/errors.ts';
import type { OutputOf } from '../../kernel/tool.ts';
import { triggersOf } from '../running/triggers.ts';
import type { publishWorkflow } from '../workflows/publish-workflow.ts';
import type { Both } from './both.ts';
import { bottomUp } from './order.ts';
import type { Action } from './plan.ts';
import { filesIn, isBlocked, isWritten, type Plan, type Planned, type Planning } from './push-plan.ts';
import { createWriter, type Writer } from './writer.ts';

export interface Pushing extends Pick<Planning, 'validate' | 'progress'> {
  readonly publish?: 'live' | 'all' | undefined;
  /** Continue with the others if one fails. */
  readonly keepGoing: boolean;
}

export interface Pushed {
  /** Files that were written to n8n, or whose workflows were archived. */
  readonly done: readonly string[];
  readonly published: readonly string[];
  /** By file: what went wrong. */
  readonly failed: ReadonlyMap<string, string>;
  /** By file: what n8n said about it. */
  readonly notes: ReadonlyMap<string, readonly string[]>;
}

/** Nothing is done for these, neither in n8n nor in the side file. */
const IDLE: ReadonlySet<Action> = new Set(['none', 'to pull', 'to push', 'conflict']);

/** Writes a plan to n8n, called workflows first. Stops at the first failure; a repeat continues from there. */
export async function push(
  both: Both,
  plan: Plan,
  { validate, publish, keepGoing, progress }: Pushing,
): Promise<Pushed> {
  const byFile = new Map(plan.planned.filter((one) => !isBlocked(one)).map((one) => [one.pair.file, one]));
  const isComing = (file: string) => byFile.get(file)?.action === 'create';
  const writer = createWriter(both, plan, { validate, isComing });
  const calledBy = (file: string) => {
    const form = byFile.get(file)?.form;
    return form ? filesIn(form) : [];
  };
  const ordered = bottomUp([...byFile.keys()], calledBy).flatMap((file) => byFile.get(file) ?? []);
  const steps = ordered.filter(({ action }) => !IDLE.has(action));
  const done = new Set<string>();
  const published: string[] = [];
  const failed = new Map<string, string>();
  const circular: Planned[] = [];
  let goesOn = true;

  async function step(file: string, work: () => Promise<void>): Promise<void> {
    if (!goesOn) return;
    try {
      await work();
    } catch (error) {
      failed.set(file, messageOf(error));
      goesOn = keepGoing;
    }
  }

  for (const [index, one] of steps.entries()) {
    await step(one.pair.file, async () => {
      if (await isComplete(one, writer)) done.add(one.pair.file);
      else circular.push(one);
    });
    progress(index + 1, steps.length);
  }
  for (const one of circular) {
    await step(one.pair.file, async () => {
      if (await isComplete(one, writer)) done.add(one.pair.file);
    });
  }
  for (const { pair } of publish === undefined ? [] : toPublish(ordered, publish, done)) {
    await step(pair.file, async () => {
      const { publication } = await both.remote.call<OutputOf<typeof publishWorkflow>>('n8n_publish_workflow', {
        ...writer.draftOf(pair),
        validate,
      });
      writer.tell(pair.file, publication.note);
      published.push(pair.file);
    });
  }
  const meant = steps.filter((one) => isWritten(one) || one.action === 'delete').map(({ pair }) => pair.file);
  return {
    done: meant.filter((file) => done.has(file)),
    published,
    failed,
    notes: writer.notes,
  };
}

/** Does one step. False if it has to be repeated, because it refers to something that is created after it. */
async function isComplete(one: Planned, writer: Writer): Promise<boolean> {
  const { pair, action, form } = one;
  if (isWritten(one) && form) return (await writer.write(pair, form)).length === 0;
  if (action === 'delete') await writer.archive(pair);
  else if (action === 'note' || action === 'forget') await writer.note(pair);
  return true;
}

/** Those that are live and have a newer draft, or all that have a trigger and are not published as they are. */
function toPublish(ordered: readonly Planned[], which: 'live' | 'all', done: ReadonlySet<string>): Planned[] {
  return ordered.filter(({ pair, form }) => {
    const { active = false, draft = false } = pair.summary ?? {};
    const isWanted = which === 'all' ? form !== undefined && triggersOf(form.nodes).length > 0 : active;
    // Somebody may be working on a draft that the folder does not have: it stays a draft.
    const isFromHere = form !== undefined && (done.has(pair.file) || pair.state === 'in step');
    return isWanted && isFromHere && (done.has(pair.file) || draft || !active);
  });
}
