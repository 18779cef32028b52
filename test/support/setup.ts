/** Around every vitest run: the first test that asks starts a real service; all share it, and it stops at the end. */
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stopLocal } from '../../src/n8n/local/local.ts';
import { instancePlaces } from '../../src/n8n/local/places.ts';
import { announce, services } from './services.ts';

export async function setup(): Promise<void> {
  announce({ directory: await mkdtemp(join(tmpdir(), 'sluice-services-')), runner: process.pid });
}

export async function teardown(): Promise<void> {
  const { directory } = services();
  const entries = await readdir(join(directory, 'n8n')).catch(() => []);
  const names = new Set(entries.map((entry) => entry.replace(/\.json$/, '')));
  await Promise.all([...names].map((name) => stopLocal(instancePlaces(directory, name))));
  // PostgreSQL ends by itself when this process does.
  await rm(directory, { recursive: true, force: true });
}
