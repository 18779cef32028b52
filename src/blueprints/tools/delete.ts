import { z } from 'zod';
import { AppError } from '../../kernel/errors.ts';
import { counted } from '../../kernel/some-of.ts';
import { blueprintTool, nameInput } from '../tool.ts';

export const remove = blueprintTool({
  name: 'blueprint_delete',
  title: 'Delete a blueprint',
  description:
    'Deletes a blueprint or recipe from the store. Its runs stay, and can still be undone. Files are deleted where they are.',
  effect: 'delete',
  phrases: 'delete a blueprint; remove a blueprint; forget a saved blueprint; delete the definition',
  input: z.strictObject({ name: nameInput }),
  output: z.object({ name: z.string(), deleted: z.literal(true) }),
  examples: [{ title: 'One', arguments: { name: 'hello' } }],
  async preview({ name }, deps) {
    const { definitions, schedules } = await deps.open();
    const { name: known, savedBy } = await definitions.existing(name);
    const due = (await schedules.all()).filter((one) => one.name === name).length;
    const by = savedBy === undefined ? '' : `, which ${savedBy} saved`;
    return `This deletes ${known}${by}.${due === 0 ? '' : ` ${counted(due, 'schedule')} cannot deploy it any more.`}`;
  },
  async run({ name }, deps, { principal }) {
    const { definitions, events } = await deps.open();
    const known = await definitions.existing(name);
    if (!(await definitions.delete(name)))
      throw new AppError(
        'conflict',
        `${name} is not in the store but comes from ${known.origin === 'file' ? (known.file ?? 'a file') : known.origin}.`,
      );
    events.record({ type: 'blueprint.deleted', blueprint: name, principal: principal.id });
    return { name, deleted: true as const };
  },
});
