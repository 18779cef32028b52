import { addressOf } from '../failures.ts';
import { listing } from '../../kernel/listed-tool.ts';
import { module } from '../module.ts';
import { problemsIn, vaultSettings } from './settings.ts';

export default module({
  name: 'vault',
  description: 'HashiCorp Vault and OpenBao: secrets by path, versions, metadata, access',
  guide: [
    'Find a secret with vault_find_secrets, look at its keys with vault_read_secret. vault_reveal_secret shows values: only if the user asks for them. vault_write_secret can generate passwords that nobody sees.',
  ],
  settings: vaultSettings,
  writesNeed: ['paths'],
  problems: problemsIn,
  address: ({ url }) => addressOf(url),
  secrets: ({ token, appRole }) => [token, appRole?.secretId],
  tools: async () => (await import('./tools.ts')).vaultTools,
  listed: async () => listing(await import('./listed.json', { with: { type: 'json' } })),
  connect: async (settings, around) => (await import('./connection.ts')).connectVault(settings, around),
  check: async (vault, signal) => await (await import('./check.ts')).check(vault, signal),
});
