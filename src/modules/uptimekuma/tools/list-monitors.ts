import { z } from 'zod';
import type { Monitor } from '../answers.ts';
import { monitorsOf, stateOf, targetOf } from '../monitors.ts';
import { paged } from '../../paged.ts';
import { cursorInput, cursorOutput, monitorOutput, shownMonitor, stateOutput, uptimekumaTool } from '../tool.ts';

const NAME = 'uptimekuma_list_monitors';

export const listMonitors = uptimekumaTool({
  name: NAME,
  title: 'List monitors',
  description:
    'Lists monitors with state, uptime of 24 hours and 30 days, average ping and the message of the last check.',
  phrases: 'list monitors; which monitors are down; show paused monitors; uptime of my services; find a monitor',
  effect: 'read',
  input: z.strictObject({
    status: stateOutput.optional(),
    type: z.string().min(1).max(60).optional().describe('Such as http, ping, port, keyword, push, group'),
    tag: z.string().min(1).max(100).optional().describe('Name of a tag'),
    search: z.string().min(1).max(200).optional().describe('Part of the name or the address'),
    cursor: cursorInput,
  }),
  output: z.object({ total: z.int(), monitors: z.array(monitorOutput), cursor: cursorOutput }),
  async run({ cursor, ...asked }, kuma) {
    const { status, type, tag, search } = asked;
    const has = (text: string | null | undefined, part: string) =>
      text?.toLowerCase().includes(part.toLowerCase()) ?? false;
    const matches = (one: Monitor) =>
      (status === undefined || stateOf(one, kuma.pushed) === status) &&
      (type === undefined || one.type === type) &&
      (tag === undefined || one.tags.some(({ name }) => name.toLowerCase() === tag.toLowerCase())) &&
      (search === undefined || has(one.name, search) || has(targetOf(one), search));
    const found = monitorsOf(kuma).filter(matches);
    const total = found.length;
    const { page, next } = paged(found, (one) => shownMonitor(kuma, one), {
      list: NAME,
      asked,
      cursor,
      besides: { total },
    });
    return { total, monitors: page, ...next };
  },
});
