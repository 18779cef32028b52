import { exposedName } from '../../gateway/names.ts';
import { hints } from '../../kernel/effect.ts';
import { AppError, messageOf } from '../../kernel/errors.ts';
import { scopeFor } from '../../kernel/principal.ts';
import type { Entry, ToolSource } from '../../kernel/source.ts';
import { chosenBy } from '../chosen-by.ts';
import type { BridgeDeps } from '../exposer.ts';
import { toolNameOf } from '../identity.ts';
import type { SharedTools } from './shared-tools.ts';

export interface SharedSource {
  readonly source: ToolSource;
  /** The file changed, or n8n became reachable or unreachable. */
  changed(): Promise<void>;
}

/**
 * Lists the tools of the shared file while n8n cannot be reached, because clients forget tools that are not listed. They
 * have the names they will have later, and a call says what is missing.
 */
export function createSharedSource(
  deps: Pick<BridgeDeps, 'settings' | 'asked' | 'shared' | 'state' | 'refresh' | 'redact'> & {
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
    if (!content || !deps.watched(content.instance) || deps.state(content.instance).state === 'watching') return [];
    if (!(await deps.mayGenerate(content.instance).catch(() => false))) return [];
    const choosing = { ...deps.settings(content.instance), asked: deps.asked.of(content.instance) };
    return content.workflows
      .filter((one) => !one.isArchived && chosenBy(one, one.tags, undefined, choosing).tools !== undefined)
      .filter(({ id }) => !deps.isMade(content.instance, id))
      .flatMap((one) => one.tools.flatMap((tool) => (tool.disabled ? [] : [entryOf(content.instance, one, tool)])));
  }

  function entryOf(
    instance: string,
    workflow: SharedTools['workflows'][number],
    { name, type, description, inputSchema }: SharedTools['workflows'][number]['tools'][number],
  ): Entry {
    const slug = deps.slug(instance, workflow);
    const exposed = exposedName(slug, toolNameOf(name, type));
    return {
      tool: exposed,
      effect: 'execute',
      scope: scopeFor(slug, 'execute'),
      category: 'workflow',
      tags: ['n8n', 'bridge', ...workflow.tags],
      wire: {
        name: exposed,
        title: name,
        description: description ?? `The tool "${name}" of the n8n workflow "${workflow.name}".`,
        inputSchema: inputSchema ?? { type: 'object', additionalProperties: true },
        annotations: { title: name, ...hints.execute },
      },
      async call() {
        const known = `${exposed} was not called: so far it is known only from the shared file`;
        try {
          await deps.refresh(instance);
        } catch (error) {
          throw new AppError('unavailable', `${known}, and n8n cannot be reached: ${deps.redact(messageOf(error))}`);
        }
        throw new AppError('unavailable', `${known}. n8n has been scanned now: try again.`);
      },
    };
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
