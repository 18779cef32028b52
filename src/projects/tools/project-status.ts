import { z } from 'zod';
import { cursorFor, placeIn } from '../../kernel/cursor.ts';
import { fittingItems } from '../../kernel/reply-size.ts';
import { overall, states } from '../status/seen.ts';
import { oneLine } from '../texts.ts';
import { cursorInput, cursorOutput, keyOutput, projectInput, projectTool, shownKey } from '../tool.ts';

const NAME = 'project_status';

export const projectStatus = projectTool({
  name: NAME,
  title: 'Status of a project',
  description:
    'Says how everything in a project is doing, the worst first: workflows published and their last run, containers, queues, databases, repositories, servers. It asks now, with your rights. Each item has what was seen and what to do next.',
  effect: 'read',
  phrases:
    'how is the project doing; status of a project; is everything in the project working; what is broken in this project; does anything in the project fail; failing items of a project; health of the project; check the project; are all services of the project up; project overview with problems; what needs attention in the project; is the shop ok',
  input: z.strictObject({
    name: projectInput,
    cursor: cursorInput.describe('From the last answer; asks everybody again'),
  }),
  output: z.object({
    project: z.string(),
    state: z.enum(states).describe('The worst of its items; what is only shown does not count'),
    counts: z.object({ ok: z.int(), unknown: z.int(), warning: z.int(), failing: z.int() }),
    items: z.array(
      z.object({
        ...keyOutput,
        state: z.enum(states),
        seen: z.string().describe('What was seen'),
        next: z.string().optional().describe('What to do next'),
      }),
    ),
    next: z.string().optional(),
    cursor: cursorOutput,
  }),
  async run({ name, cursor }, { open, gateway, inFlight }, context, progress) {
    // Loaded by the first status: a start needs none of the checks.
    const { statusOf } = await import('../status/status-of.ts');
    const { skip } = placeIn(NAME, { name }, cursor);
    const project = await (await open()).get(name);
    const total = project.items.length;
    const seen = await inFlight(context.principal.id, () =>
      statusOf(project.items, gateway, context, (count) => progress(count, total)),
    );
    const count = (state: string) => seen.filter((one) => one.state === state).length;
    const head = {
      project: project.name,
      state: overall(seen),
      counts: { ok: count('ok'), unknown: count('unknown'), warning: count('warning'), failing: count('failing') },
      ...(total === 0 && { next: 'The project is empty. project_add adds what belongs to it.' }),
    };
    const lines = project.items
      .map((item, at) => ({ item, ...(seen[at] as (typeof seen)[number]) }))
      .sort((a, b) => states.indexOf(b.state) - states.indexOf(a.state))
      .slice(skip)
      .map(({ item, state, seen: what, next }) => ({
        ...shownKey(item),
        state,
        seen: oneLine(what),
        ...(next !== undefined && { next: oneLine(next) }),
      }));
    const fits = fittingItems(lines, { ...head, cursor: 'x'.repeat(100) });
    return {
      ...head,
      items: lines.slice(0, fits),
      ...(fits < lines.length && { cursor: cursorFor(NAME, { name }, { skip: skip + fits }) }),
    };
  },
});
