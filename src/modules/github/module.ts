import { addressOf } from '../failures.ts';
import { listing } from '../../kernel/listed-tool.ts';
import { module } from '../module.ts';
import { apiBase } from './api-base.ts';
import { githubSettings } from './settings.ts';

export default module({
  name: 'github',
  description: 'GitHub: repositories, files, commits, search, issues, pull requests, actions',
  settings: githubSettings,
  writesNeed: ['repositories'],
  address: ({ url }) => addressOf(apiBase(url)),
  secrets: ({ token }) => [token],
  tools: async () => (await import('./tools.ts')).githubTools,
  listed: async () => listing(await import('./listed.json', { with: { type: 'json' } })),
  connect: async (settings, around) => (await import('./connection.ts')).connectGithub(settings, around),
  check: async (github, signal) => await (await import('./check.ts')).check(github, signal),
});
