import { fileURLToPath } from 'node:url';
import { writeLocalHook } from './bridge/hook-places.ts';
import type { N8nDeps } from './cli/n8n.ts';
import { makeHook } from './hook-command.ts';
import { cacheDirectory, homeDirectory } from './host/home.ts';
import type { Env } from './host/part.ts';
import { localSettings } from './n8n/local/start.ts';
import { loadOrFail } from './runtime.ts';

const bin = fileURLToPath(new URL('../bin/sluice.js', import.meta.url));

export function n8nDeps(env: Env): N8nDeps {
  const home = homeDirectory(env);
  const place = (file?: string) => ({ home, cwd: process.cwd(), env, ...(file !== undefined && { file }) });
  return {
    home,
    cache: cacheDirectory(env),
    async settings(name, file) {
      const loaded = await loadOrFail(place(file));
      return { ...localSettings(loaded.config, loaded.env, name), hookFile: writeLocalHook };
    },
    self: { command: process.execPath, args: [bin], env },
    hook: ({ instance, url, file }) => makeHook(place(file), instance, url),
  };
}
