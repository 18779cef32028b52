/**
 * An S3 for tests: OpenStack Swift, which checks signatures, contents and regions. Its Debian packages are downloaded
 * once and kept; they are unpacked, not installed. A real S3 can stand in:
 *
 *   TEST_S3_URL=https://s3.example.com TEST_S3_BUCKET=… TEST_S3_ACCESS_KEY_ID=… TEST_S3_SECRET_ACCESS_KEY=… TEST_S3_REGION=…
 *
 * The tests work below prefixes of their own, and delete what they wrote.
 */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { openBucket } from '../../src/n8n/backups/s3/bucket.ts';
import { s3Client, textIn } from '../../src/n8n/backups/s3/client.ts';
import { type S3Settings, s3Section } from '../../src/n8n/backups/s3/settings.ts';
import { cacheDirectory } from '../../src/host/home.ts';
import { archivesIn, unpack } from './debian-packages.ts';

const PACKAGES = ['swift-proxy', 'swift-account', 'swift-container', 'swift-object'];
const PYTHON = '/usr/bin/python3';
const BUCKET = 'sluice-backups';
const REGION = 'eu-test-1';
const START_MS = 60_000;

const { TEST_S3_URL, TEST_S3_BUCKET, TEST_S3_ACCESS_KEY_ID, TEST_S3_SECRET_ACCESS_KEY, TEST_S3_REGION } = process.env;

/** The key of the test server. No other text may contain the secret. */
export const CANARY = TEST_S3_SECRET_ACCESS_KEY ?? 'canary-of-the-s3-secret/+key';
const KEY_ID = 'sluice:tester';

const folder = join(cacheDirectory(process.env), 'test', `swift-${process.arch}`);

/** For `describe.skipIf`: downloads it if it is not there; why there is none. Under CI a missing one is a failure. */
export function s3IsMissing(): string | undefined {
  if (TEST_S3_URL !== undefined || existsSync(folder)) return undefined;
  if (process.platform !== 'linux' || !existsSync(PYTHON)) return "Swift needs Debian's own Python";
  // Several suites may download it at once. The first one is kept.
  const own = `${folder}-${process.pid}-${Date.now()}`;
  try {
    mkdirSync(join(own, 'archives', 'partial'), { recursive: true });
    const options = [
      '-o',
      `Dir::Cache::archives=${own}/archives`,
      '-o',
      'APT::Sandbox::User=',
      '-o',
      'Debug::NoLocking=1',
    ];
    // What the machine has is left out.
    const install = [...options, '-qq', '-y', '--no-install-recommends', '--download-only', 'install', ...PACKAGES];
    execFileSync('apt-get', install, { stdio: 'pipe' });
    unpack(archivesIn(join(own, 'archives')), own);
    rmSync(join(own, 'archives'), { recursive: true });
    renameSync(own, folder);
    return undefined;
  } catch (error) {
    if (existsSync(folder)) return undefined;
    if (process.env.CI === 'true') throw error;
    return `Swift could not be downloaded: ${(error as Error).message.split('\n')[0]}`;
  } finally {
    rmSync(own, { recursive: true, force: true });
  }
}

export interface TestS3 extends AsyncDisposable {
  readonly endpoint: string;
  /** The section of the file. Every call has a prefix of its own. */
  section(change?: object): Record<string, unknown>;
  /** The same, as settings of backups. */
  settings(change?: object): S3Settings & { keep: number };
  /** The keys below the prefix of these settings. */
  keys(settings: S3Settings): Promise<string[]>;
}

export async function startS3(): Promise<TestS3> {
  const server = TEST_S3_URL === undefined ? await startSwift() : undefined;
  const endpoint = server?.endpoint ?? TEST_S3_URL ?? '';
  const used: S3Settings[] = [];
  const section = (change: object = {}) => ({
    endpoint,
    bucket: TEST_S3_BUCKET ?? BUCKET,
    prefix: `t${Math.random().toString(36).slice(2, 8)}/`,
    accessKeyId: TEST_S3_ACCESS_KEY_ID ?? KEY_ID,
    secretAccessKey: CANARY,
    region: TEST_S3_REGION ?? REGION,
    ...change,
  });
  async function keys(settings: S3Settings): Promise<string[]> {
    using bucket = openBucket({ ...settings, endpoint });
    return (await bucket.list(settings.prefix)).objects.map(({ key }) => key.slice(settings.prefix.length));
  }
  return {
    endpoint,
    section,
    settings(change) {
      const settings = { keep: 10, ...s3Section.parse(section(change)) } as S3Settings & { keep: number };
      used.push(settings);
      return settings;
    },
    keys,
    async [Symbol.asyncDispose]() {
      if (!server) {
        for (const settings of used) {
          using bucket = openBucket({ ...settings, endpoint });
          for (const key of await keys(settings)) await bucket.remove(`${settings.prefix}${key}`);
        }
      }
      await server?.[Symbol.asyncDispose]();
    },
  };
}

async function startSwift(): Promise<AsyncDisposable & { endpoint: string }> {
  const directory = await mkdtemp(join(tmpdir(), 'sluice-s3-'));
  const libraries = join(folder, 'usr', 'lib');
  const native = readdirSync(libraries).find((name) => name.endsWith('-linux-gnu')) ?? '';
  const script = join(import.meta.dirname, '..', 'fixtures', 's3-server.py');
  const server = spawn(PYTHON, [script, directory, KEY_ID, CANARY], {
    env: { PYTHONPATH: join(libraries, 'python3', 'dist-packages'), LD_LIBRARY_PATH: join(libraries, native) },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const [port] = (await Promise.race([
    once(createInterface(server.stdout), 'line', { signal: AbortSignal.timeout(START_MS) }),
    once(server, 'exit').then(() => Promise.reject(new Error('Swift did not start.'))),
  ])) as [string];
  const endpoint = `http://127.0.0.1:${port}`;
  const least = { endpoint, region: REGION, bucket: BUCKET, accessKeyId: KEY_ID, secretAccessKey: CANARY };
  using client = s3Client(s3Section.parse(least));
  await client.ask({ method: 'PUT', doing: 'create a bucket' }, textIn);
  return {
    endpoint,
    async [Symbol.asyncDispose]() {
      const gone = once(server, 'exit');
      server.kill('SIGKILL');
      await gone;
      await rm(directory, { recursive: true, force: true });
    },
  };
}
