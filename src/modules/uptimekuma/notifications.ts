import { z } from 'zod';
import { AppError } from '../../kernel/errors.ts';
import { didYouMean, inQuotes, nearestNames, shown } from '../../kernel/nearest-names.ts';
import type { Kuma } from './connection.ts';
import type { Notification } from './pushed.ts';

export const notificationsInput = z
  .array(z.union([z.int(), z.string().min(1).max(200)]))
  .max(50)
  .optional()
  .describe('Names or ids of all its notifications');

/** The notifications that are named; without a list, those that new monitors get. */
export function chosenNotifications(
  { pushed: { notifications } }: Kuma,
  given: readonly (string | number)[] | undefined,
): readonly Notification[] {
  if (!given) return notifications.filter(({ isDefault, active }) => isDefault && active);
  return given.map((one) => {
    const found = notifications.find(({ id, name }) => id === one || String(id) === one || name === one);
    if (found) return found;
    const near = nearestNames(
      String(one),
      notifications.map(({ name }) => name),
    );
    throw new AppError(
      'not_found',
      `There is no notification "${shown(String(one))}". ${didYouMean(inQuotes(near), 'uptimekuma_list_notifications shows them.')}`,
    );
  });
}
