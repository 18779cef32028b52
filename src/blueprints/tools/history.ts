import { z } from 'zod';
import { AppError } from '../../kernel/errors.ts';
import { cursorFor, placeIn } from '../../kernel/cursor.ts';
import { ownCalls } from '../../kernel/own-calls.ts';
import { fittingItems } from '../../kernel/reply-size.ts';
import { blueprintTool } from '../tool.ts';
import { runStates } from '../runs/run.ts';
import { runHeadView } from '../service/run-view.ts';

const NAME = 'blueprint_history';

export const history = blueprintTool({
  name: NAME,
  title: 'List runs',
  description:
    'Lists runs, the newest first: state, who deployed each, when, what it waits for. Filter by blueprint or state.',
  effect: 'read',
  phrases:
    'history of runs; which deployments were there; list blueprint runs; what was deployed; failed runs; runs that wait for approval; who deployed what; past deployments',
  input: z.strictObject({
    name: z.string().max(100).optional().describe('Only of this blueprint'),
    state: z.enum(runStates).optional(),
    limit: z.int().min(1).max(100).optional().describe('Default: what fits into 8 KB'),
    cursor: z.string().optional().describe('From the last answer'),
  }),
  output: z.object({ runs: z.array(runHeadView), cursor: z.string().optional() }),
  examples: [{ title: 'What waits', arguments: { state: 'waiting' } }],
  async run({ name, state, limit = 50, cursor }, deps, { principal }) {
    const { journal, viewHead } = await deps.open();
    const asked = { name, state };
    const { next } = placeIn(NAME, asked, cursor);
    const own = ownCalls(principal);
    const found = await journal.list({
      name,
      state,
      before: next === undefined ? undefined : placeOf(next),
      limit: limit + 1,
      mine: own && principal.id,
    });
    const shown = found.slice(0, limit).map(viewHead);
    const fits = shown.length === 0 ? 0 : fittingItems(shown);
    const last = found[fits - 1];
    const isMore = last !== undefined && fits < found.length;
    return {
      runs: shown.slice(0, fits),
      ...(isMore && { cursor: cursorFor(NAME, asked, { next: `${last.createdAt} ${last.id}`, skip: 0 }) }),
    };
  },
});

function placeOf(text: string): { at: number; id: string } {
  const [at = '', id = ''] = text.split(' ');
  if (!/^\d+$/.test(at)) throw new AppError('invalid_input', 'This cursor does not belong to blueprint_history.');
  return { at: Number(at), id };
}
