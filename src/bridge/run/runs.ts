import type { Entry } from '../../kernel/source.ts';
import type { Found } from '../discover.ts';
import type { BridgeDeps, Exposer } from '../exposer.ts';
import { slugOf } from '../identity.ts';
import { workflowKey as keyOf } from '../loops/loops.ts';
import { type EntryDeps, entryOf, SOURCE } from './entry-of.ts';
import { keptOf, type Kept, readKept, runsKey } from './kept.ts';
import { createLearning } from './learning.ts';
import { createRunNames } from './run-names.ts';
import type { RunTool } from './run-tool.ts';
import { needsRunner, whyNotRunnable } from './runnable.ts';
import { createRunners } from './runners.ts';
import { toolOf } from './tool-of.ts';

const RETRY_MS = 15_000;

/** Whether a workflow is a tool, and why not. */
export interface RunStatus {
  readonly id: string;
  readonly name: string;
  /** Its listed name. */
  readonly tool?: string;
  /** Why it is not listed. */
  readonly reason?: string;
  /** It needs the runner: its listed name once there is one, and the runner's project. */
  readonly generated?: { readonly tool: string; readonly project: string | undefined };
  /** The name it would have if it were chosen. */
  readonly would?: string;
}

export interface Runs extends Exposer {
  /** For every chosen workflow. */
  status(instance: string): RunStatus[];
  /** For a workflow that is not chosen, as if it were. */
  judge(instance: string, found: Found): RunStatus;
  /** Everything generated was deleted. */
  removed(instance: string): Promise<void>;
}

/** Workflows as tools. */
export function createRuns(deps: BridgeDeps): Runs {
  const { records } = deps;
  const runners = createRunners(deps);
  const names = createRunNames(records);
  const learning = createLearning(records);
  const kept = new Map<string, readonly Kept[]>();
  const chosen = new Map<string, readonly Found[]>();
  const retries = new Map<string, NodeJS.Timeout>();
  const background = new Set<Promise<unknown>>();
  const listeners = new Set<() => void>();
  let tools: { tool: RunTool; workflow: Kept }[] = [];
  let entries: Entry[] = [];
  let listed = '';
  const entryDeps: EntryDeps = {
    client: (instance) => deps.instances.get(instance),
    settings: deps.settings,
    nesting: deps.loops,
    learning,
    lookAgain,
    background: inBackground,
    changed: publish,
  };

  deps.loops.add((found) =>
    tools.flatMap(({ tool: { key, name, instance } }) =>
      // Before the first scan it is unknown what they call.
      found.get(instance)?.length ? [{ key, name, source: SOURCE, workflows: [key] }] : [],
    ),
  );

  /** The workflow or its runner is not as expected. */
  function lookAgain({ instance, workflow, runner }: RunTool): void {
    inBackground(deps.refresh(instance, workflow.id));
    if (runner === undefined) return;
    runners.doubt(instance);
    inBackground(realign(instance));
  }

  async function realign(instance: string): Promise<void> {
    await deps.exclusively(instance, (_, signal) => align(instance, signal));
  }

  /** Creates missing runners, and retries later on failure. Workflows without a runner are listed already. */
  async function align(instance: string, signal: AbortSignal): Promise<void> {
    const callers = (kept.get(instance) ?? []).filter(needsRunner);
    clearTimeout(retries.get(instance));
    try {
      await runners.align(instance, new Set(callers.map(({ project }) => project?.id)), signal);
    } catch (error) {
      const again = setTimeout(() => inBackground(realign(instance)), RETRY_MS).unref();
      retries.set(instance, again);
      throw error;
    } finally {
      publish();
    }
  }

  function inBackground(work: Promise<unknown>): void {
    const mine = work.catch(() => {}).finally(() => background.delete(mine));
    background.add(mine);
  }

  /** Updates the list of tools, and notifies listeners if it changed. */
  function publish(): void {
    tools = [...kept].flatMap(([instance, workflows]) =>
      workflows.flatMap((workflow) => {
        const named = { key: keyOf(instance, workflow.id), name: names.get(keyOf(instance, workflow.id)) };
        const tool = toolOf(instance, workflow, named, () => runners.get(instance, workflow.project?.id));
        return tool ? [{ tool, workflow }] : [];
      }),
    );
    deps.loops.changed();
    entries = tools.map(({ tool, workflow }) => entryOf(tool, workflow, entryDeps));
    const now = JSON.stringify(entries.map(({ wire, tags }) => [wire, tags]));
    if (now === listed) return;
    listed = now;
    for (const listener of listeners) listener();
  }

  function statusOf(instance: string, found: Found): RunStatus {
    const { id, name } = found;
    const key = keyOf(instance, id);
    const unfit = whyNotRunnable(found);
    const tool = unfit === undefined && needsRunner(found) ? names.get(key) : undefined;
    const generated = tool === undefined ? {} : { generated: { tool, project: found.project?.id } };
    const listedAs = tools.find((one) => one.tool.key === key);
    if (listedAs) return { id, name, tool: listedAs.tool.name, ...generated };
    const reason =
      unfit ??
      runners.problem(instance) ??
      'It needs a runner, which Sluice generates in n8n. `sluice bridge apply` creates it.';
    return { id, name, reason, ...generated };
  }

  async function restore(): Promise<void> {
    await names.restore();
    await learning.restore();
    for (const instance of deps.instances.names()) {
      if (!deps.settings(instance).enabled) continue;
      await runners.restore(instance);
      kept.set(instance, readKept(await records.get(runsKey(instance))));
    }
    publish();
  }

  return {
    sources: [
      {
        id: SOURCE,
        prefix: '',
        exposure: 'flat',
        description: 'n8n workflows as tools',
        entries: () => entries,
        onChange(listener) {
          listeners.add(listener);
          return () => listeners.delete(listener);
        },
      },
    ],
    restore,
    reread: restore,
    async update(instance, found, signal) {
      const wanted = found.filter((one) => one.chosen !== undefined);
      const fit = wanted.filter((one) => whyNotRunnable(one) === undefined).map(keptOf);
      chosen.set(instance, wanted);
      kept.set(instance, fit);
      const there = new Set(found.map(({ id }) => keyOf(instance, id)));
      await names.assign(
        [...kept].flatMap(([of, all]) => all.map(({ id, name }) => ({ key: keyOf(of, id), name, fallback: id }))),
        (key) => key.startsWith(keyOf(instance, '')) && !there.has(key),
      );
      await records.put(runsKey(instance), fit);
      publish();
      await align(instance, signal);
    },
    async forget(instance) {
      clearTimeout(retries.get(instance));
      kept.delete(instance);
      chosen.delete(instance);
      // Other replicas may still have this n8n in their configuration.
      if (!deps.together) await records.put(runsKey(instance), []);
      publish();
    },
    async removed(instance) {
      await runners.removed(instance);
      publish();
    },
    secrets: runners.secrets,
    judge(instance, found) {
      const { id, name } = found;
      const reason = whyNotRunnable(found);
      if (reason !== undefined) return { id, name, reason };
      // If another workflow has this name, it gets a suffix when it is chosen.
      const would = names.get(keyOf(instance, id)) ?? `run_${slugOf(name, id)}`;
      if (!needsRunner(found)) return { id, name, would };
      return { id, name, would, generated: { tool: would, project: found.project?.id } };
    },
    status: (instance) => (chosen.get(instance) ?? []).map((one) => statusOf(instance, one)),
    async [Symbol.asyncDispose]() {
      for (const timer of retries.values()) clearTimeout(timer);
      await Promise.allSettled(background);
    },
  };
}
