import { addressOf } from '../failures.ts';
import { listing } from '../../kernel/listed-tool.ts';
import { module } from '../module.ts';
import { explain } from './explain.ts';
import { problemsIn, uptimekumaSettings } from './settings.ts';

export default module({
  name: 'uptimekuma',
  description: 'Uptime Kuma: monitors, outages, heartbeats, status pages, maintenance',
  guide: ['uptimekuma_get_summary says what is down now; uptimekuma_add_monitor needs only a url.'],
  settings: uptimekumaSettings,
  problems: problemsIn,
  address: ({ url }) => addressOf(url),
  secrets: ({ password, token, totp }) => [password, token, totp],
  tools: async () => (await import('./tools.ts')).uptimekumaTools,
  listed: async () => listing(await import('./listed.json', { with: { type: 'json' } })),
  connect: async (settings, around) => await (await import('./connection.ts')).connectKuma(settings, around),
  check: async (kuma) => (await import('./check.ts')).check(kuma),
  explain,
});
