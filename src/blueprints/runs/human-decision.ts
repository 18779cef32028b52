import type { CarryDeps, Carrying, Reached } from './carrying.ts';
import type { UnitId } from './run.ts';

export const REFUSED = 'A person refused it.';

/** What a person who has to approve a step decided. Undefined: it may go on. */
export async function humanDecision(
  { run, mask }: Carrying,
  { step }: UnitId,
  what: string,
  { journal }: Pick<CarryDeps, 'journal'>,
): Promise<Reached | 'refused' | undefined> {
  const decision = await journal.decision(run.id, step);
  if (decision) return decision.approved ? undefined : 'refused';
  return { waits: { step, for: 'approval', question: mask(`Run ${what} in the step ${step} of ${run.name}?`) } };
}
