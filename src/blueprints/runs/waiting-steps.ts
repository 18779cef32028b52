import { denial } from '../../kernel/call.ts';
import { ownCalls } from '../../kernel/own-calls.ts';
import type { Work } from '../definition/shape.ts';
import type { Reached } from './carrying.ts';
import { NOBODY } from './run.ts';
import type { StepRow } from './step-row.ts';

const DAY_MS = 86_400_000;
const PATIENCE_MS = 7 * DAY_MS;

type Of<Kind extends Work['kind']> = Extract<Work, { kind: Kind }>;

/** A person decides. */
export async function approvalStep(row: StepRow, { question }: Of<'approval'>): Promise<Reached> {
  const { carrying, step, deps } = row;
  const before = row.current();
  const begun = before?.state === 'waiting' ? before : await row.begin(await asked(row, question), 'waiting');
  const text = String(begun.arguments);
  const until = begun.startedAt + (step.timeoutMs ?? PATIENCE_MS);
  const { id } = carrying.run;
  // As a decision: somebody may decide at the same moment, and the first one counts.
  const decision =
    Date.now() < until
      ? await deps.journal.decision(id, step.id)
      : await deps.journal.decide(id, step.id, undefined, { approved: false, principal: NOBODY });
  if (decision?.principal === NOBODY) {
    await row.end({ state: 'failed', error: 'Nobody decided in time.' });
    return 'failed';
  }
  if (decision) {
    const { approved, name, principal, comment, at } = decision;
    const who = name ?? principal;
    const said = comment === undefined ? '' : `: ${comment}`;
    const result = { approved, by: who, ...(comment !== undefined && { comment }), at: new Date(at).toISOString() };
    await row.end(
      approved
        ? { state: 'done', result, note: carrying.mask(`Approved by ${who}${said}`) }
        : { state: 'failed', error: `Refused by ${who}${said}`, note: carrying.mask(`Refused by ${who}${said}`) },
    );
    return approved ? 'done' : 'failed';
  }
  return { waits: { step: step.id, for: 'approval', question: carrying.mask(text) }, until };
}

const asked = async ({ deps, scope }: StepRow, question: string): Promise<unknown> =>
  (await deps.evaluator()).fill(question, scope);

/** Time passes. */
export async function timeStep(row: StepRow, { ms }: Of<'wait'>): Promise<Reached> {
  const before = row.current();
  const begun = before?.state === 'waiting' ? before : await row.begin(undefined, 'waiting');
  const until = begun.startedAt + ms;
  if (Date.now() < until) return { waits: { step: row.step.id, for: 'time' }, until };
  await row.end({ state: 'done', result: { waited_ms: Date.now() - begun.startedAt } });
  return 'done';
}

/** Something happens: an event of the log, from the moment the step began. */
export async function eventStep(row: StepRow, { event, where }: Of<'event'>): Promise<Reached> {
  const { carrying, step, deps } = row;
  const standing = await deps.standing(carrying.run.as);
  if ('lost' in standing) return { waits: { step: step.id, for: 'rights', reason: standing.lost } };
  const { principal } = standing;
  const reading = deps.tool('get_events');
  const denied = reading && denial(principal, reading);
  if (denied) return { waits: { step: step.id, for: 'rights', reason: denied.message } };
  const before = row.current();
  let begun = before?.state === 'waiting' ? before : await row.begin(await deps.lastEvent(), 'waiting');
  let after = Number(begun.arguments);
  for (;;) {
    const found = await deps.eventsAfter(event, after, ownCalls(principal));
    for (const { id, timestamp, trace_id, event_type, status, data } of found) {
      const seen = { timestamp, trace_id, type: event_type, status, data };
      if (where === undefined || (await (await deps.evaluator()).isTrue(where, { ...row.scope, event: seen }))) {
        await row.end({ state: 'done', result: seen });
        return 'done';
      }
      after = id;
    }
    if (found.length === 0) break;
  }
  if (after !== Number(begun.arguments)) begun = await row.begin(after, 'waiting');
  const until = begun.startedAt + (step.timeoutMs ?? PATIENCE_MS);
  if (Date.now() >= until) {
    await row.end({ state: 'failed', error: `No ${event} came in time.` });
    return 'failed';
  }
  return { waits: { step: step.id, for: 'event', event, after }, until };
}
