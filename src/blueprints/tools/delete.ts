import { z } from 'zod';
import { AppError } from '../../kernel/errors.ts';
import { counted } from '../../kernel/some-of.ts';
import { blueprintTool, nameInput } from '../tool.ts';

export const remove = blueprintTool({
  name: 'blueprint_delete',
  title: 'Delete a blueprint',
  description:
    'Deletes a blueprint or recipe that you saved from the store; an admin deletes any. Its runs stay, and can still be undone. Files are deleted where they are.',
  effect: 'delete',
  phrases: 'delete a blueprint; remove a blueprint; forget a saved blueprint; delete the definition',
  input: z.strictObject({ name: nameInput }),
  output: z.object({ name: z.string(), deleted: z.literal(true) }),
  examples: [{ title: 'One', arguments: { name: 'hello' } }],
  async preview({ name }, deps, { principal }) {
    const { definitions, schedules } = await deps.open();
    const { savedBy } = await definitions.deletable(name, principal);
    const due = (await schedules.all()).filter((one) => one.name === name).length;
    return `This deletes ${name}, which ${savedBy} saved.${due === 0 ? '' : ` ${counted(due, 'schedule')} cannot deploy it any more.`}`;
  },
  async run({ name }, deps, { principal }) {
    const { definitions, events } = await deps.open();
    await definitions.deletable(name, principal);
    if (!(await definitions.delete(name, principal)))
      throw new AppError('conflict', `${name} was deleted or replaced by somebody else a moment ago.`);
    events.record({ type: 'blueprint.deleted', blueprint: name, principal: principal.id });
    return { name, deleted: true as const };
  },
});
