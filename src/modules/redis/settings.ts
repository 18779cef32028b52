import { z } from 'zod';
import { allowList } from '../allowed.ts';

const redisUrl = z.string({ error: 'is missing' }).superRefine((given, context) => {
  if (isRedisUrl(given)) return;
  context.addIssue({
    code: 'custom',
    message: 'is not the URL of a Redis',
    params: { fix: 'Write redis://user:password@host:6379/0, or rediss:// for TLS.' },
  });
});

function isRedisUrl(given: string): boolean {
  if (!/^rediss?:\/\/[^/]/.test(given) || !URL.canParse(given)) return false;
  const { hostname, pathname, username, password } = new URL(given);
  try {
    decodeURIComponent(username + password);
  } catch {
    return false;
  }
  return hostname !== '' && /^\/?\d{0,5}$/.test(pathname);
}

export const redisSettings = z.object({
  url: redisUrl,
  /** The keys that may be read and changed; default all but Sluice's own. */
  keys: allowList,
  /** The channels that may be seen and published to; default all but Sluice's own. */
  channels: allowList,
});
