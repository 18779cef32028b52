import { z } from 'zod';
import { AppError } from '../../../kernel/errors.ts';
import { fieldsInput, kumaFields, timeoutFor } from '../monitor-fields.ts';
import { groupNamed, membersOf, monitorNamed } from '../monitors.ts';
import { chosenNotifications, notificationsInput } from '../notifications.ts';
import { readMonitor } from '../read-monitor.ts';
import { done, monitorInput, uptimekumaTool } from '../tool.ts';

export const editMonitor = uptimekumaTool({
  name: 'uptimekuma_edit_monitor',
  title: 'Edit a monitor',
  description: 'Changes settings of a monitor. What is not given stays as it is.',
  phrases:
    'change the interval of a monitor; rename a monitor; edit the URL of a check; move a monitor into a group; change its notifications',
  effect: 'update',
  input: z.strictObject({
    monitor: monitorInput,
    name: z.string().trim().min(1).max(150).optional().describe('New name'),
    parent: z.union([monitorInput, z.null()]).optional().describe('Group: name or id; null takes it out'),
    notifications: notificationsInput,
    ...fieldsInput,
  }),
  output: z.object({ id: z.int(), name: z.string(), changed: z.array(z.string()).describe("By Uptime Kuma's names") }),
  async run({ monitor: given, name, parent, notifications, ...fields }, kuma, { signal }) {
    const monitor = monitorNamed(kuma, given);
    if (name !== undefined && name !== monitor.name) kuma.reach.needName(name);
    const raw = await readMonitor(kuma, monitor.id, signal);
    const group = parent === undefined || parent === null ? parent : groupNamed(kuma, parent).id;
    if (group === monitor.id || (group && membersOf(kuma, monitor).some(({ id }) => id === group)))
      throw new AppError('invalid_input', 'A group cannot be in itself. Choose another parent.');
    const changes: Record<string, unknown> = {
      ...kumaFields(fields),
      ...(name !== undefined && { name }),
      ...(group !== undefined && { parent: group }),
      ...(notifications && {
        notificationIDList: Object.fromEntries(chosenNotifications(kuma, notifications).map(({ id }) => [id, true])),
      }),
    };
    // A check may not take longer than the time to the next one.
    const { interval, timeout } = { ...raw, ...changes };
    if (fields.interval !== undefined && fields.timeout === undefined && Number(timeout) > Number(interval))
      changes.timeout = timeoutFor(monitor.type, fields.interval);
    const changed = Object.keys(changes).filter((key) => JSON.stringify(changes[key]) !== JSON.stringify(raw[key]));
    if (Object.keys(changes).length === 0)
      throw new AppError('invalid_input', 'Nothing is given that should change. Add a field, such as interval.');
    if (changed.length > 0) await kuma.ask(done, 'editMonitor', [{ ...raw, ...changes }], signal);
    return { id: monitor.id, name: name ?? monitor.name, changed };
  },
});
