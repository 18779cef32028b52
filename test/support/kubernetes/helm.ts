/** Renders the chart as `helm template` does: with a program in Go, as Helm cannot be installed from Debian. */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Ajv, type ErrorObject } from 'ajv';
import { cacheDirectory } from '../../../src/host/home.ts';
import { isMissing } from '../daemon.ts';
import { type Manifest, manifestsIn } from './manifest.ts';

export const chartFolder = fileURLToPath(new URL('../../../deploy/helm/sluice/', import.meta.url));

const GO = '/usr/bin/go';
const SOURCES = '/usr/share/gocode';

export const rendererIsMissing =
  isMissing(GO) ??
  isMissing(join(SOURCES, 'src/github.com/Masterminds/sprig')) ??
  isMissing(join(SOURCES, 'src/sigs.k8s.io/yaml'));

export type Values = Readonly<Record<string, unknown>>;

export interface Release {
  readonly name?: string;
  readonly namespace?: string;
}

export interface Rendered {
  readonly manifests: readonly Manifest[];
  readonly notes: string;
}

/** Renders the chart with each of these values, in order. Throws what Helm would say of the first that it refuses. */
export function renderCharts(all: readonly Values[], release: Release = {}): Rendered[] {
  return run(all, release).map(({ manifests = {}, notes = '', values = {}, error }) => {
    const problems = schemaProblems(values);
    if (problems.length > 0) throw new Error(problems.join('\n'));
    if (error !== undefined) throw new Error(error);
    return { manifests: Object.values(manifests).flatMap(manifestsIn), notes };
  });
}

export const renderChart = (values: Values, release?: Release): Rendered =>
  renderCharts([values], release)[0] as Rendered;

/** Renders the chart without looking at the schema of its values, as `helm --skip-schema-validation` does. */
export function refusalOf(values: Values, release: Release = {}): string {
  return run([values], release)[0]?.error ?? '';
}

interface Result {
  readonly manifests?: Record<string, string>;
  readonly notes?: string;
  readonly values?: Values;
  readonly error?: string;
}

function run(all: readonly Values[], { name = 'demo', namespace = 'prod' }: Release): Result[] {
  const jobs = all.map((values) => ({ Chart: chartFolder, Name: name, Namespace: namespace, Values: values }));
  const output = execFileSync(renderer(), { input: JSON.stringify(jobs), maxBuffer: 2 ** 26 });
  return JSON.parse(output.toString()) as Result[];
}

let validate: ReturnType<Ajv['compile']> | undefined;

/** What Helm's check of values against values.schema.json finds. */
function schemaProblems(values: Values): string[] {
  validate ??= new Ajv({ allErrors: true, strict: true, allowUnionTypes: true }).compile(
    JSON.parse(readFileSync(join(chartFolder, 'values.schema.json'), 'utf8')) as object,
  );
  if (validate(values)) return [];
  return (validate.errors ?? []).map(
    ({ instancePath, message, params }: ErrorObject) => `${instancePath} ${message} ${JSON.stringify(params)}`,
  );
}

/** Compiles the program once, and again when it changes. */
function renderer(): string {
  const source = fileURLToPath(new URL('render.go', import.meta.url));
  const hash = createHash('sha256').update(readFileSync(source)).digest('hex').slice(0, 16);
  const folder = join(cacheDirectory(process.env), 'test-programs');
  const program = join(folder, `helm-render-${hash}`);
  if (existsSync(program)) return program;
  mkdirSync(folder, { recursive: true });
  const work = mkdtempSync(join(tmpdir(), 'sluice-go-'));
  try {
    const built = join(folder, `helm-render-${hash}-${process.pid}`);
    const env = { PATH: process.env.PATH, GO111MODULE: 'off', GOPATH: SOURCES, GOCACHE: work, HOME: work };
    execFileSync(GO, ['build', '-o', built, source], { env, cwd: work, stdio: 'pipe' });
    renameSync(built, program);
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
  return program;
}
