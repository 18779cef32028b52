import { z } from 'zod';
import type { State } from '../status/seen.ts';
import { defaultCheck } from './default-check.ts';

const meaning: ReadonlyMap<string, State> = new Map([
  ['pending', 'ok'],
  ['running', 'ok'],
  ['succeeded', 'ok'],
  ['waiting', 'warning'],
  ['undoing', 'warning'],
  ['undone', 'warning'],
  ['cancelled', 'warning'],
  ['failed', 'failing'],
]);

/** Whether there is one of this name, and how its last run ended. */
export const blueprintCheck = defaultCheck({
  kind: 'blueprint',
  absent: () => ({ seen: 'blueprints are off' }),
  tool: () => 'blueprint_history',
  arguments: ({ name }) => ({ name, limit: 1 }),
  answer: z.object({
    runs: z.array(z.object({ run: z.string(), state: z.string(), started_at: z.string().optional() })),
  }),
  async read({ runs: [last] }, { name }, ask) {
    const shown = await ask('blueprint_show', { name });
    if (shown.kind === 'error' && shown.code === 'not_found')
      return {
        state: 'failing',
        seen: `no blueprint has this name${last ? `; last run: ${last.state}` : ''}`,
        next: 'blueprint_list_definitions shows the names.',
      };
    if (!last) return { state: 'ok', seen: 'never deployed' };
    const state = meaning.get(last.state) ?? 'unknown';
    return {
      state,
      seen: `last run: ${last.state}${last.started_at === undefined ? '' : ` (${last.started_at})`}`,
      ...(state !== 'ok' && { next: `blueprint_status shows more: run ${last.run}.` }),
    };
  },
});
