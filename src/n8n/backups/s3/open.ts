import type { Check } from '../../../host/check.ts';
import type { Health } from '../../../kernel/health.ts';
import { counted } from '../../../kernel/some-of.ts';
import type { N8nEvents } from '../../facts.ts';
import { createBackgroundWork, type WorkState } from '../background-work.ts';
import { type Copies, type CopiesState, createCopies } from '../copies.ts';
import type { BackupPlace } from '../place.ts';
import type { BackupSettings } from '../settings.ts';
import { openBucket } from './bucket.ts';
import { type Patience, s3Client } from './client.ts';
import { checkBucket } from './check.ts';
import { idIn, s3Place } from './place.ts';

export interface S3Backups extends AsyncDisposable {
  readonly place: BackupPlace;
  /** Undefined if S3 is the only place. */
  readonly copies: Copies | undefined;
  begin(): void;
  health(): Health;
  check(signal: AbortSignal): Promise<Check>;
}

export interface S3Deps {
  readonly events?: Pick<N8nEvents, 'record'> | undefined;
  redact(text: string): string;
  /** For tests. */
  readonly patience?: Patience;
}

const NAME = 'backups s3';
/** An upload of another replica may still be under way. */
const DAY_MS = 86_400_000;

/** The bucket of the settings, with what runs in the background. */
export function openS3(
  { keep, days, s3 }: BackupSettings & { s3: NonNullable<BackupSettings['s3']> },
  disk: BackupPlace,
  { events, redact, patience }: S3Deps,
): S3Backups {
  const bucket = openBucket(s3, s3Client(s3, patience));
  const name = redact(bucket.name);
  const isOnly = s3.mode === 'only';
  const told = {
    failed: (reason: string) =>
      events?.record({ type: 'n8n.backups_s3_failed', place: name, reason, waiting: copies?.state().waiting ?? 0 }),
    recovered: (ms: number) => events?.record({ type: 'n8n.backups_s3_recovered', place: name, ms }),
  };
  const place = s3Place(bucket, s3.prefix);
  const limits = { from: { keep, days }, to: { keep: s3.keep, days: s3.days } };
  const copies = isOnly
    ? undefined
    : createCopies({
        from: disk,
        to: place,
        limits,
        required: s3.mode === 'required',
        told,
        redact,
        wait: patience?.wait,
      });
  const probe = createBackgroundWork(
    async (signal) => void (await bucket.list(s3.prefix, { most: 1, signal })),
    told,
    redact,
    patience?.wait,
  );
  const isOurs = (key: string) => idIn(key, s3.prefix) !== undefined;
  const stop = new AbortController();
  let tidying: Promise<void> | undefined;
  const state = (): WorkState & Partial<CopiesState> => copies?.state() ?? probe.state();

  return {
    place: isOnly ? watched(place, probe.due) : place,
    copies,
    begin() {
      if (copies) copies.begin();
      else probe.due();
      // Not every endpoint can list uploads, and a rule of the bucket can do the same.
      tidying ??= bucket.abandon(s3.prefix, isOurs, Date.now() - DAY_MS, { signal: stop.signal }).catch(() => {});
    },
    health: () => healthOf(name, s3.mode, state()),
    check: (signal) => checkBucket(NAME, bucket, s3, state().waiting ?? 0, signal),
    async [Symbol.asyncDispose]() {
      stop.abort();
      await tidying;
      await copies?.[Symbol.asyncDispose]();
      await probe[Symbol.asyncDispose]();
      bucket[Symbol.dispose]();
    },
  };
}

/** Looks at the bucket after a failure, so that the status tells about it. */
function watched(place: BackupPlace, look: () => void): BackupPlace {
  const noted = (error: unknown): never => {
    look();
    throw error;
  };
  return {
    ...place,
    list: (...given) => place.list(...given).catch(noted),
    write: (...given) => place.write(...given).catch(noted),
  };
}

function healthOf(name: string, mode: string, work: WorkState & Partial<CopiesState>): Health {
  const { state, since, lastError, retryAt } = work;
  const wait = waitingIn(work);
  const message = wait === undefined ? lastError?.message : `${wait}: ${lastError?.message}`;
  return {
    name: NAME,
    kind: 'backups',
    // Backups on disk go on without it.
    state: state === 'failing' && mode === 'copy' ? 'degraded' : state,
    since: new Date(since).toISOString(),
    detail: wait === undefined ? name : `${name}; ${wait}`,
    ...(lastError && { lastError: { ...lastError, message: message as string } }),
    ...(retryAt !== undefined && { retryAt: new Date(retryAt).toISOString() }),
  };
}

/** How many backups wait. Those of an earlier process are known once the places were compared. */
function waitingIn({ state, waiting = 0, isCompared = true }: WorkState & Partial<CopiesState>): string | undefined {
  if (waiting === 0) return isCompared || state !== 'failing' ? undefined : 'older backups may wait for S3';
  return `${isCompared ? '' : 'at least '}${counted(waiting, 'backup')} ${waiting === 1 ? 'waits' : 'wait'} for S3`;
}
