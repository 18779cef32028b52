import { z } from 'zod';
import { AppError } from '../../../kernel/errors.ts';
import { tagShape } from '../answers.ts';
import type { Kuma } from '../connection.ts';
import { monitorNamed } from '../monitors.ts';
import { readTags } from '../tags.ts';
import { done, monitorInput, named, uptimekumaTool } from '../tool.ts';

const addAnswer = z.looseObject({ tag: tagShape });
const USUAL_COLOR = '#4B5563';

export const tagMonitor = uptimekumaTool({
  name: 'uptimekuma_tag_monitor',
  title: 'Tag a monitor',
  description: 'Adds a tag to a monitor, or removes it. A tag that does not exist is created.',
  phrases: 'tag a monitor; label a monitor as production; remove a tag from a monitor; mark monitors of a team',
  effect: 'update',
  input: z.strictObject({
    monitor: monitorInput,
    tag: z.string().trim().min(1).max(100).describe('Name of the tag'),
    value: z.string().max(200).default('').describe('A tag may have a value, such as team: web'),
    color: z
      .string()
      .regex(/^#[\da-f]{6}$/i, 'is not a color such as #059669')
      .default(USUAL_COLOR)
      .describe('Of a new tag'),
    remove: z.boolean().default(false).describe('Takes the tag away'),
  }),
  output: z.object({ id: z.int(), name: z.string(), tag: z.string(), changed: z.boolean(), created: z.boolean() }),
  async run({ monitor: given, tag: wanted, value, color, remove }, kuma, { signal }) {
    const monitor = monitorNamed(kuma, given);
    const tags = await readTags(kuma, signal);
    const known = tags.find(({ name }) => name === wanted);
    if (remove) {
      const worn = monitor.tags.find(
        (one) => one.tag_id === known?.id && (value === '' || (one.value ?? '') === value),
      );
      if (!worn) throw new AppError('not_found', `The monitor ${named(monitor)} has no such tag. Nothing was changed.`);
      await kuma.ask(done, 'deleteMonitorTag', [worn.tag_id, monitor.id, worn.value ?? ''], signal);
      await renewed(kuma, signal);
      return { id: monitor.id, name: monitor.name, tag: wanted, changed: true, created: false };
    }
    if (monitor.tags.some((one) => one.tag_id === known?.id && (one.value ?? '') === value))
      return { id: monitor.id, name: monitor.name, tag: wanted, changed: false, created: false };
    const tag = known ?? (await kuma.ask(addAnswer, 'addTag', [{ name: wanted, color }], signal)).tag;
    await kuma.ask(done, 'addMonitorTag', [tag.id, monitor.id, value], signal);
    await renewed(kuma, signal);
    return { id: monitor.id, name: monitor.name, tag: wanted, changed: true, created: !known };
  },
});

/** 1.23 does not tell that tags have changed. */
async function renewed(kuma: Kuma, signal: AbortSignal): Promise<void> {
  if (kuma.isOld) await kuma.ask(done, 'getMonitorList', [], signal);
}
