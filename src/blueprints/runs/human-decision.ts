import { shownArguments } from '../../gateway/confirmations/shown-arguments.ts';
import { sorted } from '../../kernel/confirmation.ts';
import type { Json, WireTool } from '../../kernel/source.ts';
import type { CarryDeps, Carrying, Reached } from './carrying.ts';
import { type UnitId, WHOLE } from './run.ts';
import { maskValue } from './secrets.ts';

export const REFUSED = 'A person refused it.';

/** What a person has to approve. */
export interface ToApprove {
  /** The tool, or what else is run. */
  readonly what: string;
  readonly arguments: Json;
  /** The same as they may be shown, if something about them is known to be secret. */
  readonly shown?: Json;
  readonly wire?: Pick<WireTool, 'inputSchema'> | undefined;
  /** The arguments whose values may be shown; absent: all. */
  readonly recorded?: readonly string[] | undefined;
}

/**
 * What a person who has to approve a call decided. Undefined: it may go on. An approval holds for one call: another item,
 * other arguments, or the undo of the same step are other questions.
 */
export async function humanDecision(
  { run, mask }: Carrying,
  { step, item, phase }: UnitId,
  { what, arguments: given, shown = given, wire = anything, recorded }: ToApprove,
  { journal }: Pick<CarryDeps, 'journal'>,
): Promise<Reached | 'refused' | undefined> {
  const ask = journal.askFor([run.id, step, item, phase, what, sorted(given)]);
  const decision = await journal.decision(run.id, step, ask);
  if (decision) return decision.approved ? undefined : 'refused';
  const place = `the step ${step}${item === WHOLE ? '' : `, item ${item},`} of ${run.name}`;
  const question = phase === 'undo' ? `Undo ${place} with ${what}?` : `Run ${what} in ${place}?`;
  return {
    waits: { step, for: 'approval', ask, question: mask(question) },
    asked: shownArguments(maskValue(shown, mask) as Json, { wire, recorded }, mask),
  };
}

const anything = { inputSchema: {} };
