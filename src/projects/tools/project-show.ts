import { z } from 'zod';
import { cursorFor, placeIn } from '../../kernel/cursor.ts';
import { AppError } from '../../kernel/errors.ts';
import { fittingItems } from '../../kernel/reply-size.ts';
import { quoted } from '../../kernel/some-of.ts';
import type { Item } from '../project.ts';
import { beginning } from '../texts.ts';
import { cursorInput, cursorOutput, keyOutput, projectInput, projectTool, shownKey } from '../tool.ts';
import { normalized } from '../../kernel/normalized.ts';

const NAME = 'project_show';
const LONGEST_NOTE_SHOWN = 100;
const LONGEST_DESCRIPTION_SHOWN = 300;

export const projectShow = projectTool({
  name: NAME,
  title: 'Show a project',
  description:
    'Shows what belongs to a project, in the order in which it was added, without asking anybody. Long notes are cut: name the item to read all of it. project_status says how everything is doing.',
  effect: 'read',
  phrases:
    'show a project; what belongs to this project; open a project; items of a project; read the notes of a project; who owns the project; which workflows, containers and databases are in the project; list what we put into a project; what is the project about; details of a project',
  input: z.strictObject({
    name: projectInput,
    item: z.string().min(1).max(5000).optional().describe('Only items of this name, with the whole note and check'),
    cursor: cursorInput,
  }),
  output: z.object({
    name: z.string(),
    description: z.string().optional(),
    owners: z.array(z.string()).optional(),
    created_at: z.string(),
    created_by: z.string(),
    changed_at: z.string(),
    total: z.int().describe('Items'),
    items: z.array(
      z.object({
        ...keyOutput,
        note: z.string().optional(),
        check: z.object({ tool: z.string(), arguments: z.record(z.string(), z.unknown()).optional() }).optional(),
        added_at: z.string(),
        added_by: z.string(),
      }),
    ),
    cursor: cursorOutput,
  }),
  async run({ name, item: wanted, cursor }, { open }) {
    const asked = { name, item: wanted };
    const { skip: after } = placeIn(NAME, asked, cursor);
    const project = await (await open()).get(name);
    const { description, owners, createdAt, createdBy, changedAt } = project;
    const isWhole = wanted !== undefined;
    const head = {
      name: project.name,
      ...(description !== '' && {
        description: isWhole ? description : beginning(description, LONGEST_DESCRIPTION_SHOWN),
      }),
      ...(owners.length > 0 && { owners: [...owners] }),
      created_at: createdAt,
      created_by: createdBy,
      changed_at: changedAt,
      total: project.items.length,
    };
    const named = isWhole
      ? project.items.filter((item) => item.name === normalized(wanted, 'NFC').trim())
      : project.items;
    if (isWhole && named.length === 0)
      throw new AppError(
        'not_found',
        `The project has no item ${quoted(wanted)}. project_show without item shows all.`,
      );
    const left = named.filter(({ id }) => id > after);
    const items = left.map((item) => shownItem(item, isWhole));
    const fits = fittingItems(items, { ...head, cursor: 'x'.repeat(100) });
    const last = left[fits - 1];
    return {
      ...head,
      items: items.slice(0, fits),
      // Ids only rise, so what is added or removed meanwhile shifts nothing.
      ...(last && fits < items.length && { cursor: cursorFor(NAME, asked, { skip: last.id }) }),
    };
  },
});

const shownItem = (item: Item, isWhole: boolean) => ({
  ...shownKey(item),
  ...(item.note !== undefined && { note: isWhole ? item.note : beginning(item.note, LONGEST_NOTE_SHOWN) }),
  ...(item.check && { check: { tool: item.check.tool, ...(isWhole && { arguments: item.check.arguments }) } }),
  added_at: item.addedAt,
  added_by: item.addedBy,
});
