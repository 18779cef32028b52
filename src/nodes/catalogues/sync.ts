import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readdir, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { buildCatalogue } from '../build/build.ts';
import { AppError } from '../../kernel/errors.ts';
import type { RawTypes } from '../build/raw.ts';
import type { Origin } from '../catalogue.ts';
import { readChoice, writeChoice } from './choice.ts';
import { renewEssentials } from '../details/essentials.ts';
import { checkedN8n } from '../which-n8n.ts';
import { openCatalogue } from './open.ts';
import { instanceCatalogue, packageCatalogue } from './places.ts';
import { installedTypes } from '../sources/installed.ts';
import { npmTypes } from '../sources/npm-packages.ts';
import type { Sources } from '../sources/sources.ts';

export interface SyncDeps {
  readonly home: string;
  readonly cache: string;
  /** The default n8n version. */
  readonly pinned: string;
  readonly sources: Sources;
  readonly signal?: AbortSignal;
  progress(step: string, done: number, of: number): void;
}

export interface Synced {
  readonly file: string;
  readonly origin: Origin;
  /** False if the catalogue was already up to date. */
  readonly changed: boolean;
}

/** Updates the catalogue of an instance or of an n8n version. If that fails, the previous catalogue stays. */
export async function syncCatalogue(of: { instance?: string; n8n?: string }, deps: SyncDeps): Promise<Synced> {
  if (of.instance === undefined || of.n8n !== undefined) return fromPackages(of.n8n ?? deps.pinned, deps);
  const { instance } = of;
  const source = deps.sources.instance(instance);
  deps.progress(`asking n8n (${instance}) for its nodes`, 0, 1);
  const version = await source.version(deps.signal);
  if (source.types) {
    const types = await source.types(deps.signal);
    const synced = await write(instanceCatalogue(deps.home, instance), types, 'instance', version ?? 'unknown', deps);
    await writeChoice(deps.home, instance, { from: 'instance' });
    return synced;
  }
  // If n8n does not tell its version, use the last known one, else the pinned one.
  const before = readChoice(deps.home, instance);
  const n8n = version ?? (before?.from === 'packages' ? before.n8n : deps.pinned);
  const synced = await fromPackages(n8n, deps).catch((error: unknown) => {
    // Nightly builds are not in npm's registry, or the registry is unreachable. The user cannot change the version, so
    // suggest a login.
    const helps = error instanceof AppError && (error.code === 'unavailable' || error.code === 'not_found');
    if (version === undefined || !helps) throw error;
    const advice = `n8n (${instance}) runs version ${n8n}. With a login (n8n.${instance}.login) Sluice reads the nodes from n8n itself.`;
    throw new AppError(error.code, `${error.message} ${advice}`, { cause: error });
  });
  await writeChoice(deps.home, instance, { from: 'packages', n8n });
  return synced;
}

async function fromPackages(n8n: string, deps: SyncDeps): Promise<Synced> {
  const { cache, sources, signal, progress } = deps;
  const file = packageCatalogue(cache, checkedN8n(n8n));
  const there = existing(file);
  if (there?.prepared) return { file, origin: there.origin, changed: false };
  using _turn = await sources.lock(
    `${file}.lock`,
    () => progress('waiting for another process that is building it', 0, 1),
    signal,
  );
  await clearDrafts(file);
  // The process that held the lock may have built it.
  const done = existing(file);
  if (done) return prepared(file, done, !there, deps);
  const modules = await sources.installed(n8n);
  const types =
    modules !== undefined && existsSync(join(modules, 'n8n-nodes-base', 'dist', 'types', 'nodes.json'))
      ? await installedTypes(modules)
      : await npmTypes({ n8n, npm: sources.npm, signal, step: progress });
  const origin = buildCatalogue({ ...types, from: 'packages', n8n }, file, (made, of, step) =>
    progress(step, made, of),
  );
  return { file, origin, changed: true };
}

async function write(
  file: string,
  types: RawTypes,
  from: Origin['from'],
  n8n: string,
  deps: SyncDeps,
): Promise<Synced> {
  const { sources, progress, signal } = deps;
  const fingerprint = createHash('sha256')
    .update(JSON.stringify([n8n, types.nodes, types.credentials]))
    .digest('hex');
  using _turn = await sources.lock(
    `${file}.lock`,
    () => progress('waiting for another process that is building it', 0, 1),
    signal,
  );
  await clearDrafts(file);
  const there = existing(file);
  if (there?.origin.fingerprint === fingerprint) return prepared(file, there, false, deps);
  const input = { ...types, from, n8n, fingerprint };
  return { file, origin: buildCatalogue(input, file, (made, of, step) => progress(step, made, of)), changed: true };
}

/** Deletes drafts of killed processes. Safe, because we hold the lock. */
async function clearDrafts(file: string): Promise<void> {
  const folder = dirname(file);
  const names = await readdir(folder).catch(() => []);
  const drafts = names.filter((name) => name.startsWith(`${basename(file)}.`) && name.endsWith('.tmp'));
  await Promise.all(drafts.map((name) => rm(join(folder, name), { force: true })));
}

interface Existing {
  readonly origin: Origin;
  /** False if another Sluice release prepared the details. */
  readonly prepared: boolean;
}

function prepared(file: string, there: Existing, changed: boolean, { progress }: SyncDeps): Synced {
  if (!there.prepared) renewEssentials(file, (made, of) => progress('preparing', made, of));
  return { file, origin: there.origin, changed: changed || !there.prepared };
}

function existing(file: string): Existing | undefined {
  if (!existsSync(file)) return undefined;
  try {
    const catalogue = openCatalogue(file);
    catalogue.close();
    return { origin: catalogue.origin, prepared: catalogue.essentials !== undefined };
  } catch {
    // Damaged: treat it as missing.
    return undefined;
  }
}
