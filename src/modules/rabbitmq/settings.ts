import { z } from 'zod';
import { allowList } from '../allowed.ts';
import type { Problem } from '../module.ts';

const urlOf = (schemes: RegExp, what: string, fix: string) =>
  z.string().superRefine((given, context) => {
    if (schemes.test(given) && isReadable(given)) return;
    context.addIssue({ code: 'custom', message: `is not the URL of ${what}`, params: { fix } });
  });

/** A `%` that stands for itself makes a password or a vhost unreadable. */
function isReadable(given: string): boolean {
  try {
    const { hostname, username, password, pathname } = new URL(given);
    return hostname !== '' && [username, password, pathname].every((part) => decodeURIComponent(part) !== undefined);
  } catch {
    return false;
  }
}

const AMQP = 'Write amqp://user:password@host:5672/vhost; percent-encode what is special in them, a % as %25.';
const MANAGEMENT =
  'Write http://host:15672, or http://user:password@host:15672; percent-encode what is special in them.';

export const rabbitmqSettings = z.object({
  url: urlOf(/^amqps?:\/\//i, 'a RabbitMQ', AMQP).optional(),
  /** Without it: the host, user and password of `url`, and the usual port. */
  managementUrl: urlOf(/^https?:\/\//i, 'the management API', MANAGEMENT).optional(),
  /** The one that tools use if a call names none; default that of `url`, or `/`. */
  vhost: z.string().min(1).optional(),
  /** Other vhosts that calls may name; default all that the user may see. */
  vhosts: allowList,
  queues: allowList,
  exchanges: allowList,
});

export type RabbitmqSettings = z.output<typeof rabbitmqSettings>;

export function problemsIn({ url, managementUrl }: RabbitmqSettings): readonly Problem[] {
  if (url !== undefined || managementUrl !== undefined) return [];
  return [
    {
      message: 'says nowhere where RabbitMQ is',
      fix: 'Add url: amqp://user:password@host:5672 or managementUrl: http://user:password@host:15672, or set RABBITMQ_URL or RABBITMQ_MANAGEMENT_URL.',
    },
  ];
}
