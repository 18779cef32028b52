/**
 * GitHub's own description of its REST API (OpenAPI), from the npm package @octokit/openapi. The package is huge, so only
 * the one file is kept, in the cache.
 */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { x as extract } from 'tar';
import { cacheDirectory } from '../../../src/host/home.ts';

const VERSION = '23.0.2';
const INTEGRITY = 'sha512-pV8M7L9GY23AybNvTmo2nyjmpmnt6+2sRE/tqr0ZLQcPS4lnw7u5eZGNmwRNkBC3D7gZXbFx5AHzLUVRBXGDhg==';
const FILE = 'generated/api.github.com.json';

const folder = join(cacheDirectory(process.env), 'test', `github-openapi-${VERSION}`);
const file = join(folder, FILE);

/** Downloads it if it is not there: seconds, the first time. */
export function needDescription(): void {
  if (existsSync(file)) return;
  // Several suites may download it at once. The first one is kept.
  const own = `${folder}-${process.pid}-${Date.now()}`;
  try {
    mkdirSync(own, { recursive: true });
    execFileSync('npm', ['pack', `@octokit/openapi@${VERSION}`, '--silent'], { cwd: own, stdio: 'pipe' });
    const archive = join(own, readdirSync(own).find((name) => name.endsWith('.tgz')) ?? '');
    const found = `sha512-${createHash('sha512').update(readFileSync(archive)).digest('base64')}`;
    if (found !== INTEGRITY) throw new Error(`@octokit/openapi ${VERSION} is not what it was: ${found}`);
    extract({ file: archive, cwd: own, strip: 1, sync: true }, [`package/${FILE}`]);
    rmSync(archive);
    renameSync(own, folder);
  } catch (error) {
    if (!existsSync(file)) throw error;
  } finally {
    rmSync(own, { recursive: true, force: true });
  }
}

/** For `describe.skipIf`: why there is none. Under CI a missing one is a failure. */
export function descriptionIsMissing(): string | undefined {
  try {
    needDescription();
    return undefined;
  } catch (error) {
    if (process.env.CI === 'true') throw error;
    return `GitHub's description could not be downloaded: ${(error as Error).message.split('\n')[0]}`;
  }
}

export interface Schema {
  readonly [keyword: string]: unknown;
}

export interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required?: boolean;
  readonly schema: Schema;
  readonly 'x-multi-segment'?: boolean;
}

type Content = Readonly<Record<string, { readonly schema?: Schema }>>;
type Ref = { readonly $ref: string };

export interface Operation {
  readonly operationId: string;
  readonly parameters?: readonly (Parameter | Ref)[];
  readonly requestBody?: { readonly required?: boolean; readonly content: Content };
  readonly responses: Readonly<Record<string, { readonly content?: Content } | Ref>>;
}

export interface Description {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

export const readDescription = (): Description => JSON.parse(readFileSync(file, 'utf8')) as Description;
