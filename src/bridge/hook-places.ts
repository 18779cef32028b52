import { existsSync } from 'node:fs';
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type InstancePlaces, instancePlaces } from '../n8n/local/places.ts';
import type { Settings } from '../store/store.ts';

/** What n8n's hook file signs with, as text. */
export async function hookSecret(settings: Settings, instance: string): Promise<string> {
  return (await settings.secret(`bridge.hook.${instance}`)).toString('hex');
}

export const hookUrl = (gateway: string, instance: string): string =>
  `${gateway}/api/v1/bridge/hook/${encodeURIComponent(instance)}`;

/** Where a gateway of this home writes where it is: the local n8n outlives it, and so has to look each time. */
const targetOf = ({ folder }: InstancePlaces): string => join(folder, 'hook-target.json');

/** For the local n8n, which gets it without being asked. */
export async function writeLocalHook(places: InstancePlaces): Promise<string> {
  const file = join(places.folder, 'sluice-hook.js');
  const { hookFile } = await import('./live/hook-file.ts');
  await writePrivate(file, hookFile({ file: targetOf(places) }));
  return file;
}

/** From now on the local n8n tells this gateway. Gone with it. */
export async function tellLocalHook(home: string, gateway: string, settings: Settings): Promise<AsyncDisposable> {
  const places = instancePlaces(home);
  const file = targetOf(places);
  if (!existsSync(places.folder)) return { async [Symbol.asyncDispose]() {} };
  const target = { url: hookUrl(gateway, places.name), secret: await hookSecret(settings, places.name) };
  await writePrivate(file, JSON.stringify(target));
  return { [Symbol.asyncDispose]: () => rm(file, { force: true }) };
}

/** It holds a secret; and whoever reads it meanwhile sees all of it or nothing. */
export async function writePrivate(file: string, text: string): Promise<void> {
  await mkdir(dirname(file), { recursive: true });
  await writeFile(`${file}.writing`, text, { mode: 0o600 });
  await rename(`${file}.writing`, file);
}
