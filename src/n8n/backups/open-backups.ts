import type { Check } from '../../host/check.ts';
import type { Health } from '../../kernel/health.ts';
import { type Late, late } from '../../kernel/late.ts';
import type { Backups } from './backups.ts';
import { type BackupPlaces, createBackups } from './create-backups.ts';
import { diskPlace } from './disk.ts';
import type { S3Backups, S3Deps } from './s3/open.ts';
import type { BackupSettings } from './settings.ts';
import type { OpenFile } from './whole-file.ts';

export interface OpenBackups extends AsyncDisposable {
  readonly backups: Backups;
  /** Starts what runs in the background; again after the settings changed. */
  begin(): Promise<void>;
  health(): Health[];
  check(signal: AbortSignal): Promise<Check[]>;
}

/** Backups in the places of the settings, which can change while Sluice runs. The code for S3 is loaded only with a bucket. */
export function openBackups(settings: () => BackupSettings, deps: S3Deps & { openFile?: OpenFile }): OpenBackups {
  let current: { key: string; open: Late<S3Backups>; opened?: S3Backups } | undefined;
  const closing = new Set<Promise<void>>();

  function close(): void {
    const old = current;
    current = undefined;
    if (!old) return;
    const closed = (async () => (await old.open.begun()?.catch(() => undefined))?.[Symbol.asyncDispose]())().finally(
      () => closing.delete(closed),
    );
    closing.add(closed);
  }

  async function s3Of(now: BackupSettings): Promise<S3Backups | undefined> {
    const { s3, directory, keep, days } = now;
    const key = JSON.stringify([s3, directory, keep, days]);
    if (current?.key !== key) close();
    if (!s3) return undefined;
    const known = (current ??= { key, open: late(() => load({ ...now, s3 })) });
    return (known.opened = await known.open());
  }

  async function load(now: BackupSettings & { s3: NonNullable<BackupSettings['s3']> }): Promise<S3Backups> {
    const { openS3 } = await import('./s3/open.ts');
    return openS3(now, diskPlace(now.directory, deps.openFile), deps);
  }

  async function places(): Promise<BackupPlaces> {
    const now = settings();
    const { keep, days, maxBytes, directory, git } = now;
    const s3 = await s3Of(now);
    if (s3 && now.s3?.mode === 'only') return { main: s3.place, limits: now.s3, maxBytes, git };
    return { main: diskPlace(directory, deps.openFile), limits: { keep, days }, maxBytes, copies: s3?.copies, git };
  }

  return {
    backups: createBackups(places, deps.openFile),
    begin: async () => (await s3Of(settings()))?.begin(),
    health: () => (current?.opened ? [current.opened.health()] : []),
    async check(signal) {
      const s3 = await s3Of(settings());
      return s3 ? [await s3.check(signal)] : [];
    },
    async [Symbol.asyncDispose]() {
      close();
      await Promise.all(closing);
    },
  };
}
