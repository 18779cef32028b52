import { z } from 'zod';
import { paged } from '../../paged.ts';
import { cursorInput, cursorOutput, uptimekumaTool } from '../tool.ts';
import { shortened } from '../../shown.ts';

const NAME = 'uptimekuma_list_notifications';

export const listNotifications = uptimekumaTool({
  name: NAME,
  title: 'List notifications',
  description: 'Lists who is told about outages: names and types only, never addresses or tokens.',
  phrases: 'which notifications are set up; where do alerts go; list notification channels',
  effect: 'read',
  input: z.strictObject({ cursor: cursorInput }),
  output: z.object({
    notifications: z.array(
      z.object({
        id: z.int(),
        name: z.string(),
        type: z.string(),
        active: z.boolean(),
        default: z.boolean().describe('New monitors get it'),
      }),
    ),
    cursor: cursorOutput,
  }),
  async run({ cursor }, { pushed }) {
    const { page, next } = paged(
      pushed.notifications,
      ({ id, name, type, active, isDefault }) => ({
        id,
        name: shortened(name, 100),
        type: shortened(type, 40),
        active,
        default: isDefault,
      }),
      { list: NAME, asked: {}, cursor },
    );
    return { notifications: page, ...next };
  },
});
