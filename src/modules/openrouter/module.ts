import { addressOf } from '../failures.ts';
import { listing } from '../../kernel/listed-tool.ts';
import { module } from '../module.ts';
import { openrouterSettings, problemsIn } from './settings.ts';

export default module({
  name: 'openrouter',
  description: 'OpenRouter: ask other models within a budget, prices, usage, credits',
  guide: [
    'Before openrouter_chat, openrouter_compare_models says what it would cost. A chat never exceeds the budget.',
  ],
  settings: openrouterSettings,
  problems: problemsIn,
  address: ({ url }) => addressOf(url),
  secrets: ({ apiKey }) => [apiKey],
  tools: async () => (await import('./tools.ts')).openrouterTools,
  listed: async () => listing(await import('./listed.json', { with: { type: 'json' } })),
  connect: async (settings, around) => (await import('./connection.ts')).connectOpenRouter(settings, around),
  check: async (connection, signal) => await (await import('./check.ts')).check(connection, signal),
});
