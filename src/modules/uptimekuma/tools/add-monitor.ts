import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import { AppError } from '../../../kernel/errors.ts';
import type { Kuma } from '../connection.ts';
import {
  type Fields,
  fieldsInput,
  kumaFields,
  nameFor,
  needFields,
  newMonitor,
  timeoutFor,
  typeFor,
} from '../monitor-fields.ts';
import { maskedText } from '../masked.ts';
import { groupNamed, monitorsOf, targetOf } from '../monitors.ts';
import { chosenNotifications, notificationsInput } from '../notifications.ts';
import { monitorInput, named, uptimekumaTool } from '../tool.ts';
import { shortened } from '../../shown.ts';

const INTERVAL = 60;
const addAnswer = z.looseObject({ monitorID: z.int() });

export const addMonitor = uptimekumaTool({
  name: 'uptimekuma_add_monitor',
  title: 'Add a monitor',
  description:
    'Adds a monitor and starts it. A url alone is enough; hostname makes a ping, hostname and port a TCP check. Default notifications are attached.',
  phrases: 'monitor this website; add an uptime check; watch a URL; add a ping monitor; alert me when the site is down',
  effect: 'create',
  input: z.strictObject({
    ...fieldsInput,
    type: z
      .string()
      .min(1)
      .max(60)
      .optional()
      .describe('Follows from the rest; else keyword, dns, push, docker, group, postgres, …'),
    name: z.string().trim().min(1).max(150).optional().describe('Default: from the address'),
    parent: monitorInput.optional().describe('Group to put it into: name or id'),
    notifications: notificationsInput,
  }),
  output: z.object({
    id: z.int(),
    name: z.string(),
    type: z.string(),
    target: z.string().optional(),
    interval: z.number(),
    notifications: z.array(z.string()),
    push_url: z.string().optional().describe('To be called by what is monitored; keep it secret'),
  }),
  examples: [{ title: 'A website', arguments: { url: 'https://example.com' } }],
  async run({ type: wanted, name: called, parent, notifications: chosen, ...given }, kuma, { signal }) {
    const type = wanted ?? typeFor(given);
    needFields(type, given);
    const name = called ?? nameFor(type, given);
    kuma.reach.needName(name);
    const fields = kumaFields(given);
    needNew(kuma, { type, name, fields });
    const interval = given.interval ?? INTERVAL;
    const token = type === 'push' ? randomBytes(16).toString('hex') : undefined;
    const notifications = chosenNotifications(kuma, chosen);
    const monitor = {
      ...newMonitor(type, kuma.isOld, interval),
      ...fields,
      ...(given.retry_interval === undefined && { retryInterval: interval }),
      ...(given.timeout === undefined && { timeout: timeoutFor(type, interval) }),
      name,
      parent: parent === undefined ? null : groupNamed(kuma, parent).id,
      notificationIDList: Object.fromEntries(notifications.map(({ id }) => [id, true])),
      ...(token !== undefined && { pushToken: token }),
    };
    const { monitorID: id } = await kuma.ask(addAnswer, 'add', [monitor], signal);
    if (token !== undefined) kuma.revealed(token);
    const target = targetFor(type, fields, given);
    return {
      id,
      name,
      type,
      ...(target !== undefined && { target: shortened(maskedText(target), 300) }),
      interval,
      notifications: notifications.slice(0, 20).map((one) => shortened(one.name, 60)),
      ...(token !== undefined && { push_url: `${kuma.base}/api/push/${token}?status=up&msg=OK&ping=` }),
    };
  },
});

const targetFor = (type: string, fields: Readonly<Record<string, unknown>>, { hostname, port }: Fields) =>
  targetOf({ type, url: fields.url as string | undefined, hostname, port });

/** A call that is repeated because its answer got lost must not make a second one. */
function needNew(
  kuma: Kuma,
  {
    type,
    name,
    fields,
  }: { readonly type: string; readonly name: string; readonly fields: Readonly<Record<string, unknown>> },
): void {
  const target = targetOf({
    type,
    url: fields.url as string | undefined,
    hostname: fields.hostname as string | undefined,
    port: fields.port as number | undefined,
  });
  const same = monitorsOf(kuma).find((one) => one.type === type && one.name === name && targetOf(one) === target);
  if (same)
    throw new AppError(
      'conflict',
      `There is such a monitor already: ${named(same)}. Change it with uptimekuma_edit_monitor, or give the new one another name.`,
    );
}
