import { addressOf } from '../failures.ts';
import { listing } from '../../kernel/listed-tool.ts';
import { module } from '../module.ts';
import { traefikSettings } from './settings.ts';

export default module({
  name: 'traefik',
  description: 'Traefik: routers, services, middlewares, and why a request is routed so',
  guide: [
    'Why a URL answers 404 or from the wrong place: traefik_explain_request. What is broken: traefik_find_problems.',
  ],
  settings: traefikSettings,
  address: ({ url }) => addressOf(url),
  secrets: ({ token, headers }) => [
    token,
    ...Object.entries(headers).flatMap(([name, value]) => (SECRET.test(name) ? [value] : [])),
  ],
  tools: async () => (await import('./tools.ts')).traefikTools,
  listed: async () => listing(await import('./listed.json', { with: { type: 'json' } })),
  connect: async (settings, around) => (await import('./connection.ts')).connectTraefik(settings, around),
  check: async (connection, signal) => await (await import('./check.ts')).check(connection, signal),
});

const SECRET = /auth|cookie|key|secret|token|passw/i;
