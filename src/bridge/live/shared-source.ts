import { exposedName } from '../../gateway/names.ts';
import { hints } from '../../kernel/effect.ts';
import { AppError } from '../../kernel/errors.ts';
import { globMatcher } from '../../kernel/glob.ts';
import { scopeFor } from '../../kernel/principal.ts';
import type { Entry, ToolSource } from '../../kernel/source.ts';
import { chosenBy } from '../chosen-by.ts';
import type { BridgeDeps } from '../exposer.ts';
import { toolNameOf } from '../identity.ts';
import { createFinder, namedEntry, type NamedDeps } from './named-entry.ts';
import { distinctNames } from './named-tools.ts';
import { passOn } from './pass-on.ts';
import { scanNow } from './scan-now.ts';
import type { SharedTools } from './shared-tools.ts';
import { wireOf } from './wire-of.ts';

export interface SharedSource {
  readonly source: ToolSource;
  /** The file changed, or n8n became reachable or unreachable. */
  changed(): Promise<void>;
}

/**
 * Lists the tools of the shared file. Those below a workflow are listed only while n8n cannot be reached, because clients
 * forget tools that are not listed: they have the names they will have later, and a call says what is missing. Those
 * outside of a workflow are always listed from here.
 */
export function createSharedSource(
  deps: Pick<BridgeDeps, 'settings' | 'asked' | 'shared' | 'state' | 'named'> &
    NamedDeps & {
      watched(instance: string): boolean;
      mayGenerate(instance: string): Promise<boolean>;
      /** Prefix of a workflow's tools. */
      slug(instance: string, workflow: { id: string; name: string }): string;
      /** Whether this workflow has an endpoint. Then its tools are listed from there. */
      isMade(instance: string, workflow: string): boolean;
    },
): SharedSource {
  const listeners = new Set<() => void>();
  let entries: readonly Entry[] = [];

  async function current(): Promise<readonly Entry[]> {
    const content = deps.shared?.()?.content();
    if (!content || !deps.watched(content.instance)) return [];
    if (!(await deps.mayGenerate(content.instance).catch(() => false))) return [];
    return [
      ...byName(content.instance),
      ...(deps.state(content.instance).state === 'watching' ? [] : ofWorkflows(content)),
    ];
  }

  function byName(instance: string): Entry[] {
    const named = deps.named?.(instance);
    if (!named) return [];
    const find = createFinder(deps, instance);
    return [...distinctNames(named.tools)].map(([name, tool]) => namedEntry(deps, instance, name, tool, find(tool)));
  }

  function ofWorkflows({ instance, workflows }: SharedTools): Entry[] {
    const settings = deps.settings(instance);
    const choosing = { ...settings, asked: deps.asked.of(instance) };
    const { include, exclude } = settings.tools;
    const isWanted = (names: readonly string[]) =>
      (include.length === 0 || names.some(globMatcher(include))) && !names.some(globMatcher(exclude));
    return workflows
      .filter((one) => !one.isArchived && chosenBy(one, one.tags, undefined, choosing).tools !== undefined)
      .filter(({ id }) => !deps.isMade(instance, id))
      .flatMap((one) =>
        one.tools
          .filter(({ name, disabled }) => !disabled && isWanted([name, `${deps.slug(instance, one)}__${name}`]))
          .map((tool) => entryOf(instance, one, tool)),
      );
  }

  function entryOf(
    instance: string,
    workflow: SharedTools['workflows'][number],
    tool: SharedTools['workflows'][number]['tools'][number],
  ): Entry {
    const slug = deps.slug(instance, workflow);
    const exposed = exposedName(slug, toolNameOf(tool.name, tool.type));
    const entry: Entry = {
      tool: exposed,
      effect: 'execute',
      scope: scopeFor(slug, 'execute'),
      category: 'workflow',
      tags: ['n8n', 'bridge', ...workflow.tags],
      wire: {
        ...wireOf(exposed, tool, `The tool "${tool.name}" of the n8n workflow "${workflow.name}".`),
        annotations: { title: tool.name, ...hints.execute },
      },
      async call(params, context) {
        await scanNow(deps, instance, exposed);
        // n8n answers now, so the tool itself has taken the place of this entry.
        const real = deps.tool?.(exposed);
        if (real && real !== entry) return passOn(real, params, context);
        throw new AppError(
          'unavailable',
          `${exposed} was not called: so far it is known only from the shared file. n8n has been scanned now: try again.`,
        );
      },
    };
    return entry;
  }

  return {
    source: {
      id: 'bridge-file',
      prefix: '',
      exposure: 'flat',
      description: 'AI tools of n8n that are known from the shared file',
      entries: () => entries,
      onChange(listener) {
        listeners.add(listener);
        return () => listeners.delete(listener);
      },
    },
    async changed() {
      const before = JSON.stringify(entries.map(({ wire }) => wire));
      entries = await current();
      if (JSON.stringify(entries.map(({ wire }) => wire)) === before) return;
      for (const listener of listeners) listener();
    },
  };
}
