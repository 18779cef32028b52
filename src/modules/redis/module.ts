import { addressOf } from '../failures.ts';
import { listing } from '../../kernel/listed-tool.ts';
import { module } from '../module.ts';
import { explainRedis } from './explain.ts';
import { redisFraming } from './framing.ts';
import { redisSettings } from './settings.ts';

export default module({
  name: 'redis',
  description: 'Redis: keys of every type, expiry, streams, JSON, publish, memory, slow log',
  guide: ['redis_scan_keys finds keys; redis_get_key shows a value of any type.'],
  settings: redisSettings,
  problems: ({ url, ca, cert, key, insecure }) =>
    url.startsWith('redis:') && (insecure || ca !== undefined || cert !== undefined || key !== undefined)
      ? [
          {
            key: 'url',
            message: 'begins with redis://, but the section has keys of TLS (ca, cert, key or insecure)',
            fix: 'Write rediss://, or remove those keys.',
          },
        ]
      : [],
  address: ({ url }) => addressOf(url, 6379),
  tools: async () => (await import('./tools.ts')).redisTools,
  listed: async () => listing(await import('./listed.json', { with: { type: 'json' } })),
  connect: async (settings, around) => await (await import('./connection.ts')).connectRedis(settings, around),
  check: async (redis, signal) => await (await import('./check.ts')).checkRedis(redis, signal),
  framing: redisFraming,
  explain: explainRedis,
});
