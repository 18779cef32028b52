import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { hookFile } from './bridge/live/hook-file.ts';
import { hookSecret, hookUrl, writePrivate } from './bridge/hook-places.ts';
import type { HookMade } from './cli/n8n-hook.ts';
import { reachableUrl } from './kernel/reachable-url.ts';
import { loadOrFail, type RuntimeOptions } from './runtime.ts';
import { openSqlite } from './store/sqlite.ts';

/** The file for an n8n of the user's own: it knows where this gateway is, and the secret it shares with it. */
export async function makeHook(options: RuntimeOptions, instance: string, given?: string): Promise<HookMade> {
  const { config } = await loadOrFail(options);
  const { host, port, publicUrl } = config.server;
  const url = hookUrl((given ?? publicUrl ?? reachableUrl(host, port)).replace(/\/+$/, ''), instance);
  await mkdir(options.home, { recursive: true, mode: 0o700 });
  await using store = await openSqlite(join(options.home, 'sluice.db'));
  return {
    url,
    text: hookFile({ url, secret: await hookSecret(store.settings, instance) }),
    place: join(options.home, 'hooks', `${instance}.js`),
    write: writePrivate,
  };
}
