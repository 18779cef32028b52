import { addressOf } from '../failures.ts';
import { listing } from '../../kernel/listed-tool.ts';
import { module } from '../module.ts';
import type { OpenHands } from './connection.ts';
import { openhandsSettings } from './settings.ts';

export default module<typeof openhandsSettings, OpenHands>({
  name: 'openhands',
  description: 'OpenHands: coding agents, their conversations, events, files and changes',
  guide: ['A task: openhands_start_conversation, openhands_wait, then openhands_list_changes and openhands_get_diff.'],
  settings: openhandsSettings,
  address: ({ url }) => addressOf(url),
  secrets: ({ apiKey }) => [apiKey],
  tools: async () => (await import('./tools.ts')).tools,
  listed: async () => listing(await import('./listed.json', { with: { type: 'json' } })),
  connect: async (settings, around) => (await import('./connection.ts')).connect(settings, around),
  check: async (openhands, signal) => await (await import('./check.ts')).check(openhands, signal),
});
