import { expect, test } from 'vitest';
import { call } from '../../support/plain-calls.ts';
import { postgresIsMissing } from '../../support/postgres.ts';
import { startReplicas } from '../../support/two-replicas.ts';
import { startFakeVault } from '../../support/vault.ts';
import { textOf } from '../harness.ts';

const SECRET = 'shared-Kd82mQ-value';

test.skipIf(postgresIsMissing)('a value that one replica reveals is known to the other, and encrypted', async () => {
  await using vault = await startFakeVault();
  await vault.api('POST', 'sys/mounts/secret', { type: 'kv', options: { version: '2' } });
  await vault.api('POST', 'secret/data/app', { data: { password: SECRET } });
  const section = { url: vault.url, token: vault.root };
  await using replicas = await startReplicas({ graph: false, modules: { vault: section } });
  const { a, b } = replicas;
  const params = { path: 'secret/app' };
  const shown = textOf(await call(a.url, 'vault_call', { tool: 'vault_reveal_secret', params }));
  expect(shown).toContain(SECRET);
  await expect
    .poll(async () => {
      const stored = await call(b.url, 'memory_call', { tool: 'store', params: { text: `It is ${SECRET}.` } });
      return textOf(stored);
    })
    .toContain('text contains a secret');
  const rows = await a.runtime.store.tables.rows('SELECT sealed FROM module_revealed');
  expect(rows).not.toEqual([]);
  expect(JSON.stringify(rows)).not.toContain(SECRET);
});
