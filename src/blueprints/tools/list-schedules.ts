import { z } from 'zod';
import { fittingItems } from '../../kernel/reply-size.ts';
import { ownCalls } from '../../kernel/own-calls.ts';
import { blueprintTool } from '../tool.ts';

export const listSchedules = blueprintTool({
  name: 'blueprint_list_schedules',
  title: 'List schedules',
  description:
    'Lists the blueprints that are deployed by cron: when each is due, its last run, and why it was not carried out. blueprint_cancel ends one.',
  effect: 'read',
  phrases:
    'list schedules; what runs every night; which blueprints are scheduled; when is the next backup; cron of blueprints; why did the schedule not run',
  input: z.strictObject({ skip: z.int().min(0).optional().describe('How many to leave out, to see the rest') }),
  output: z.object({
    schedules: z.array(
      z.object({
        schedule: z.string(),
        name: z.string(),
        cron: z.string(),
        deployed_by: z.string(),
        next_at: z.string().optional(),
        last_run: z.string().optional(),
        problem: z.string().optional(),
      }),
    ),
    more: z.number().optional(),
  }),
  examples: [{ title: 'All', arguments: {} }],
  async run({ skip = 0 }, deps, { principal }) {
    const own = ownCalls(principal);
    const all = (await (await deps.open()).schedules.all()).filter(({ actor }) => !own || actor === principal.id);
    const shown = all.slice(skip).map(({ id, name, cron, actor, nextAt, lastRun, problem }) => ({
      schedule: id,
      name,
      cron,
      deployed_by: actor,
      ...(nextAt !== undefined && { next_at: new Date(nextAt).toISOString() }),
      ...(lastRun !== undefined && { last_run: lastRun }),
      ...(problem !== undefined && { problem: problem.slice(0, 300) }),
    }));
    const fits = shown.length === 0 ? 0 : fittingItems(shown);
    return { schedules: shown.slice(0, fits), ...(fits < shown.length && { more: shown.length - fits }) };
  },
});
