import { toAppError } from '../../kernel/errors.ts';
import { mayGenerate } from '../consent.ts';
import type { BridgeDeps } from '../exposer.ts';
import { alignRunner, ASKED, isRunnerOf, type Runner } from '../../n8n/running/runner/align-runner.ts';
import { type Generated, generatedIn } from '../../n8n/generate/generated-in.ts';
import { HEADER, headerSecret } from '../../n8n/generate/header.ts';
import { RUNNER } from '../../n8n/running/runner/runner-workflow.ts';
import { deleteGenerated } from '../../n8n/generate/write.ts';
import { ownerOf } from '../../n8n/generate/owner.ts';

/** The generated runners: one in each project with a workflow that needs it. */
export interface Runners {
  get(instance: string, project: string | undefined): Runner | undefined;
  /** Restores the runners of the last start. */
  restore(instance: string): Promise<void>;
  /** Creates and deletes runners so that each of these projects has one. Without the user's consent there are none. */
  align(instance: string, projects: ReadonlySet<string | undefined>, signal: AbortSignal): Promise<void>;
  /** All runners were deleted. */
  removed(instance: string): Promise<void>;
  /** A runner did not answer: the next `align` checks all of them. */
  doubt(instance: string): void;
  secrets(): string[];
  /** Why there is none although the user agreed. */
  problem(instance: string): string | undefined;
}

const NOWHERE = '';

export function createRunners(deps: Pick<BridgeDeps, 'records' | 'settings' | 'instances'>): Runners {
  const { records } = deps;
  const known = new Map<string, Map<string, Runner>>();
  const sure = new Map<string, string>();
  const problems = new Map<string, string>();
  const secrets = new Set<string>();
  const keyOf = (instance: string): string => `runners.${instance}`;

  async function keep(instance: string, runners: Map<string, Runner>): Promise<void> {
    known.set(instance, runners);
    const kept = [...runners].map(([project, { workflow, path }]) => ({ project, workflow, path }));
    await records.put(keyOf(instance), kept);
  }

  async function secretOf(instance: string): Promise<string> {
    const secret = await headerSecret(records, instance);
    secrets.add(secret);
    return secret;
  }

  async function write(
    instance: string,
    projects: ReadonlySet<string | undefined>,
    signal: AbortSignal,
  ): Promise<void> {
    const client = deps.instances.get(instance);
    const owner = await ownerOf(records);
    await secretOf(instance);
    const generated = await generatedIn(client, signal);
    const runners = new Map<string, Runner>();
    for (const project of projects) {
      const existing = generated.find(isRunnerOf(owner, project));
      runners.set(project ?? NOWHERE, await alignRunner({ client, records, owner, signal }, project, existing));
    }
    const needed = new Set([...runners.values()].map(({ workflow }) => workflow));
    for (const { workflow } of generated.filter(isOurs(owner)))
      if (!needed.has(workflow.id)) await deleteGenerated(client, workflow.id, signal);
    await keep(instance, runners);
  }

  return {
    get: (instance, project) => known.get(instance)?.get(project ?? NOWHERE),
    async restore(instance) {
      const stored = await records.get(keyOf(instance));
      if (!Array.isArray(stored) || stored.length === 0) return void known.delete(instance);
      const headers = { [HEADER]: await secretOf(instance) };
      const runners = (stored as { project: string; workflow: string; path: string }[]).map(
        ({ project, workflow, path }): [string, Runner] => [project, { workflow, path, headers }],
      );
      known.set(instance, new Map(runners));
    },
    async align(instance, projects, signal) {
      const may = await mayGenerate(deps, instance);
      const wanted = may ? projects : new Set<string | undefined>();
      const had = known.get(instance)?.size ?? 0;
      const state = JSON.stringify([may, ...[...wanted].map((one) => one ?? NOWHERE).sort()]);
      // With consent, n8n may hold a runner that is not in our store, if we were killed before we stored it.
      if (sure.get(instance) === state || (!may && had === 0)) return;
      try {
        // n8n_execute_workflow may create a runner at the same time. Take turns, or there would be two.
        await deps.instances.get(instance).turns.take(RUNNER, () => write(instance, wanted, signal));
        sure.set(instance, state);
        problems.delete(instance);
      } catch (error) {
        sure.delete(instance);
        problems.set(instance, toAppError(error).message);
        throw error;
      }
    },
    async removed(instance) {
      sure.delete(instance);
      await keep(instance, new Map());
    },
    doubt: (instance) => void sure.delete(instance),
    secrets: () => [...secrets],
    problem: (instance) => problems.get(instance),
  };
}

const isOurs =
  (owner: string) =>
  ({ mark }: Generated): boolean =>
    mark.owner === owner && mark.kind === RUNNER && mark.part !== ASKED;
