import { existsSync } from 'node:fs';
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type InstancePlaces, instancePlaces } from '../n8n/local/places.ts';
import type { Settings } from '../store/store.ts';

/** The key that n8n's hook file signs with, in hex. */
export async function hookSecret(settings: Settings, instance: string): Promise<string> {
  return (await settings.secret(`bridge.hook.${instance}`)).toString('hex');
}

export const hookUrl = (gateway: string, instance: string): string =>
  `${gateway}/api/v1/bridge/hook/${encodeURIComponent(instance)}`;

/** The file that holds the gateway's URL. The local n8n outlives the gateway, so it reads the file for each event. */
const targetOf = ({ folder }: InstancePlaces): string => join(folder, 'hook-target.json');

/** Writes the hook file of the local n8n. */
export async function writeLocalHook(places: InstancePlaces): Promise<string> {
  const file = join(places.folder, 'sluice-hook.js');
  const { hookFile } = await import('./live/hook-file.ts');
  await writePrivate(file, hookFile({ file: targetOf(places) }));
  return file;
}

/** Directs the local n8n's hooks to this gateway, until disposed. */
export async function tellLocalHook(home: string, gateway: string, settings: Settings): Promise<AsyncDisposable> {
  const places = instancePlaces(home);
  const file = targetOf(places);
  if (!existsSync(places.folder)) return { async [Symbol.asyncDispose]() {} };
  const target = { url: hookUrl(gateway, places.name), secret: await hookSecret(settings, places.name) };
  await writePrivate(file, JSON.stringify(target));
  return { [Symbol.asyncDispose]: () => rm(file, { force: true }) };
}

/** Writes a file with a secret: private, and atomically, because n8n may read it at any time. */
export async function writePrivate(file: string, text: string): Promise<void> {
  await mkdir(dirname(file), { recursive: true });
  await writeFile(`${file}.writing`, text, { mode: 0o600 });
  await rename(`${file}.writing`, file);
}
