import { z } from 'zod';
import { cursorFor, placeIn } from '../../kernel/cursor.ts';
import { fittingItems } from '../../kernel/reply-size.ts';
import { beginning, folded } from '../texts.ts';
import { cursorInput, cursorOutput, projectTool } from '../tool.ts';

const NAME = 'project_list_projects';
const LONGEST_SHOWN = 100;

export const projectListProjects = projectTool({
  name: NAME,
  title: 'List projects',
  description: 'Lists the projects by name, with what each is for and how many items it has.',
  effect: 'read',
  phrases:
    'which projects are there; list projects; show all projects; find a project; what projects do we have; search projects; names of the projects; is there a project for this',
  input: z.strictObject({
    query: z.string().min(1).max(200).optional().describe('Only with this text in the name or description'),
    cursor: cursorInput,
  }),
  output: z.object({
    projects: z.array(
      z.object({ name: z.string(), description: z.string().optional(), items: z.int(), changed_at: z.string() }),
    ),
    total: z.int(),
    cursor: cursorOutput,
  }),
  async run({ query, cursor }, { open }) {
    const { next = '' } = placeIn(NAME, { query }, cursor);
    const wanted = query === undefined ? '' : folded(query);
    const projects = await open();
    const found = (await projects.list()).filter(
      ({ name, description }) => folded(name).includes(wanted) || folded(description).includes(wanted),
    );
    const left = found.filter(({ name }) => folded(name) > next);
    const items = left.map(({ name, description, items: count, changedAt }) => ({
      name,
      ...(description !== '' && { description: beginning(description, LONGEST_SHOWN) }),
      items: count,
      changed_at: changedAt,
    }));
    // The cursor holds a name.
    const fits = fittingItems(items, { cursor: 'x'.repeat(800) });
    const last = items[fits - 1];
    return {
      projects: items.slice(0, fits),
      total: found.length,
      ...(last && fits < items.length && { cursor: cursorFor(NAME, { query }, { next: folded(last.name), skip: 0 }) }),
    };
  },
});
