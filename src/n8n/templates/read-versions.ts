import { AppError } from '../../kernel/errors.ts';
import type { Found, Templates, TemplateSummary } from './template.ts';

/** The service is public and free: a search reads at most this many templates at a time, and so often. */
const AT_ONCE = 5;
const A_ROUND = 20;
const ROUNDS = 3;
/** No round takes longer. What is not read by then stays unknown. */
const PATIENCE_MS = 3000;

/** Repeats a search for what fits until the versions of its first templates are known, which lists do not tell. */
export async function withVersions(
  search: () => Promise<Found>,
  first: number,
  templates: Templates,
  signal: AbortSignal,
): Promise<{ readonly found: Found; readonly unknown: number }> {
  const tried = new Set<string>();
  let found = await search();
  for (let round = 0; round < ROUNDS; round++) {
    const some = unknownIn(found, first).filter((id) => !tried.has(id));
    if (some.length === 0) break;
    const next = some.slice(0, A_ROUND);
    for (const id of next) tried.add(id);
    await readAll(next, templates, signal);
    // What does not fit after all makes room for others.
    found = await search();
  }
  return { found, unknown: unknownIn(found, first).length };
}

const unknownIn = ({ templates }: Found, first: number): string[] =>
  templates.slice(0, first).flatMap(({ id, versions }: TemplateSummary) => (versions ? [] : [id]));

async function readAll(ids: readonly string[], templates: Templates, signal: AbortSignal): Promise<void> {
  const either = AbortSignal.any([signal, AbortSignal.timeout(PATIENCE_MS)]);
  const left = [...ids];
  async function readSome(): Promise<void> {
    for (let id = left.shift(); id !== undefined && !either.aborted; id = left.shift())
      await templates.get(id, either).catch(() => {});
  }
  await Promise.all(Array.from({ length: AT_ONCE }, readSome));
  if (signal.aborted) throw new AppError('cancelled', 'The call was cancelled.');
}
