import { spawn } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { type RequirementSet, requirementsOf, suiteFile } from './requirements.ts';

export interface Problem {
  /** The check's id and name, which are the same in every run of a scenario. */
  readonly check: string;
  readonly level: 'failure' | 'warning' | 'skipped';
  readonly message: string;
}

export interface ScenarioResult {
  readonly status: 'pass' | 'fail';
  readonly problems: readonly Problem[];
}

/** The check of a scenario that left no verdict. */
export const DID_NOT_RUN = 'did-not-run';

export type Results = Map<string, ScenarioResult>;

const levels = { FAILURE: 'failure', WARNING: 'warning', SKIPPED: 'skipped' } as const;

const checks = z.array(
  z.object({
    id: z.string(),
    name: z.string(),
    description: z.string(),
    status: z.enum(['SUCCESS', 'FAILURE', 'WARNING', 'SKIPPED', 'INFO']),
    errorMessage: z.string().optional(),
  }),
);

/** Runs the server scenarios of a requirement set, including the unscored ones, against a URL. */
export async function runServerLeg(url: string, set: RequirementSet): Promise<Results> {
  await using results = await temporaryDirectory();
  const output = await runSuite(['server', '--url', url, '--requirements', set, '--output-dir', results.path]);
  const { scored, unscored } = requirementsOf(set, 'server');
  const written = await readdir(results.path);
  return new Map(
    await Promise.all(
      [...scored, ...unscored].map(async (scenario): Promise<[string, ScenarioResult]> => {
        const directory = written.find((name) => isRunOf(`server-${scenario}`, name));
        return [scenario, await resultIn(directory && join(results.path, directory), output.text)];
      }),
    ),
  );
}

/** The results of a server leg that could not even start. */
export function failedServerLeg(set: RequirementSet, cause: unknown): Results {
  const { scored, unscored } = requirementsOf(set, 'server');
  const result = didNotRun(cause instanceof Error ? cause.message : String(cause));
  return new Map([...scored, ...unscored].map((scenario) => [scenario, result]));
}

/**
 * Runs one client scenario: the suite starts a server, runs the command with its URL as the last argument and
 * judges what reached the server. The command itself must also succeed.
 */
export async function runClientScenario(
  command: string[],
  scenario: string,
  set: RequirementSet,
): Promise<ScenarioResult> {
  await using results = await temporaryDirectory();
  const quoted = command.map((part) => `'${part}'`).join(' ');
  const args = ['--command', quoted, '--scenario', scenario, '--spec-version', set, '--output-dir', results.path];
  // Extensions belong to no version of the specification, and are refused unless forced.
  args.push('--force');
  const output = await runSuite(['client', ...args]);
  const [directory] = await readdir(results.path, { recursive: true }).then((names) =>
    names.filter((name) => name.endsWith('checks.json')).map((name) => join(results.path, name, '..')),
  );
  const judged = await resultIn(directory, output.text);
  if (output.code === 0) return judged;
  const said = /Client (?:exited with code|timed out)[\s\S]*?(?=\nResults saved)/.exec(output.text)?.[0];
  if (said === undefined && judged.status === 'fail') return judged;
  const problem: Problem = { check: 'client-command', level: 'failure', message: tail(said ?? output.text) };
  return { status: 'fail', problems: [...judged.problems, problem] };
}

/** Where a run is worse than the one it must equal; a check that only this run skips counts as worse. */
export function worseThan(expected: ScenarioResult, actual: ScenarioResult): Problem[] {
  const known = new Set(expected.problems.map(({ check, level }) => `${level} ${check}`));
  return actual.problems.filter(({ check, level }) => !known.has(`${level} ${check}`));
}

// The suite appends a time to a directory's name, so one scenario's name can be a prefix of another's.
function isRunOf(prefix: string, directory: string): boolean {
  return directory.startsWith(`${prefix}-`) && /^\d{4}-\d\d-\d\dT/.test(directory.slice(prefix.length + 1));
}

async function resultIn(directory: string | undefined, output: string): Promise<ScenarioResult> {
  const file = directory && (await readFile(join(directory, 'checks.json'), 'utf8').catch(() => undefined));
  if (!file) return didNotRun(output);
  const problems = checks.parse(JSON.parse(file)).flatMap((check): Problem[] => {
    const { id, name, status, description, errorMessage } = check;
    if (status === 'SUCCESS' || status === 'INFO') return [];
    return [{ check: `${id} (${name})`, level: levels[status], message: errorMessage ?? description }];
  });
  return { status: problems.some(({ level }) => level === 'failure') ? 'fail' : 'pass', problems };
}

function didNotRun(output: string): ScenarioResult {
  return { status: 'fail', problems: [{ check: DID_NOT_RUN, level: 'failure', message: tail(output) }] };
}

async function runSuite(args: string[]): Promise<{ code: number | null; text: string }> {
  const child = spawn(process.execPath, [suiteFile('dist/index.js'), ...args], {
    // The suite and our client start once per scenario: without a cache, compiling would take most of their time.
    env: {
      ...process.env,
      NODE_COMPILE_CACHE: fileURLToPath(new URL('../../node_modules/.cache/sluice', import.meta.url)),
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  const [code, stdout, stderr] = await Promise.all([ended, text(child.stdout), text(child.stderr)]);
  return { code, text: `${stdout}\n${stderr}` };
}

async function temporaryDirectory(): Promise<AsyncDisposable & { path: string }> {
  const path = await mkdtemp(join(tmpdir(), 'sluice-conformance-'));
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }) };
}

const LAST = 2000;

function tail(output: string): string {
  return output.trim().slice(-LAST);
}
