import { addressOf } from '../failures.ts';
import { listing } from '../../kernel/listed-tool.ts';
import { module } from '../module.ts';
import type { Dify } from './connection.ts';
import { difySettings, problemsIn } from './settings.ts';

export default module<typeof difySettings, Dify>({
  name: 'dify',
  description: 'Dify: chat with apps, run workflows, conversations, datasets, documents',
  guide: ['dify_list_apps shows which tool runs an app, and dify_get_app the inputs that it takes.'],
  settings: difySettings,
  problems: problemsIn,
  address: ({ url }) => addressOf(url),
  secrets: ({ apiKey, apps, datasetKey }) => [apiKey, datasetKey, ...Object.values(apps)],
  tools: async () => (await import('./tools.ts')).tools,
  listed: async () => listing(await import('./listed.json', { with: { type: 'json' } })),
  connect: async (settings, around) => (await import('./connection.ts')).connect(settings, around),
  check: async (dify, signal) => await (await import('./check.ts')).check(dify, signal),
});
