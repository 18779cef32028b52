import { exposedName } from '../../gateway/names.ts';
import { hints } from '../../kernel/effect.ts';
import { AppError } from '../../kernel/errors.ts';
import { shown } from '../../kernel/nearest-names.ts';
import { scopeFor } from '../../kernel/principal.ts';
import type { Entry } from '../../kernel/source.ts';
import type { SourceVerdict } from '../ai-tools/endpoints.ts';
import type { BridgeDeps } from '../exposer.ts';
import { inWordsOf, isMeantBy, type LooseTool } from './loose-tools.ts';
import { scanNow } from './scan-now.ts';

/** Prefix of the tools that the shared file names outside of a workflow. */
const LOOSE = 'shared';

export interface LooseDeps extends Pick<BridgeDeps, 'found' | 'tool' | 'refresh' | 'state' | 'redact'> {
  judge(instance: string, found: ReturnType<BridgeDeps['found']>): readonly SourceVerdict[];
}

/** A tool of the shared file under a name of its own. A call goes to the AI tool of n8n that the file means. */
export function looseEntry(deps: LooseDeps, instance: string, name: string, tool: LooseTool): Entry {
  const exposed = exposedName(LOOSE, name);

  /** Names of the gateway's tools that the file may mean, those of a workflow that was chosen otherwise first. */
  function candidates(): string[] {
    return deps
      .judge(instance, deps.found(instance))
      .toSorted((a, b) => Number(a.chosen === 'file') - Number(b.chosen === 'file'))
      .flatMap(({ found, slug, tools }) =>
        tools
          .filter(({ reason, tool: { node } }) => reason === undefined && isMeantBy(tool, found, node))
          .map((one) => exposedName(slug, one.name)),
      );
  }

  function target(): Entry | undefined {
    for (const candidate of candidates()) {
      const entry = deps.tool?.(candidate);
      if (entry) return entry;
    }
    return undefined;
  }

  async function reached(): Promise<Entry> {
    const known = target();
    if (known) return known;
    await scanNow(deps, instance, exposed);
    const found = target();
    if (found) return found;
    const reasons = deps
      .judge(instance, deps.found(instance))
      .flatMap(({ found: workflow, tools }) =>
        tools.flatMap(({ reason, tool: { node } }) =>
          reason !== undefined && isMeantBy(tool, workflow, node) ? [`in ${shown(workflow.name)}: ${reason}`] : [],
        ),
      );
    if (reasons[0] !== undefined) throw new AppError('unsupported', `${exposed} cannot be called. It is ${reasons[0]}`);
    if (candidates().length > 0)
      throw new AppError('unavailable', `${exposed} is not ready yet. bridge_status says why. Try again in a minute.`);
    throw new AppError(
      'not_found',
      `n8n (${instance}) has no AI tool called ${shown(tool.name)}. Connect a node of that name to an agent as a tool, or correct the shared file.`,
    );
  }

  return {
    tool: exposed,
    effect: 'execute',
    scope: scopeFor(LOOSE, 'execute'),
    category: 'workflow',
    tags: ['n8n', 'bridge'],
    wire: {
      name: exposed,
      title: tool.name,
      description: tool.description ?? `The AI tool ${shown(tool.name)} of n8n.`,
      inputSchema: tool.inputSchema ?? target()?.wire.inputSchema ?? { type: 'object', additionalProperties: true },
      annotations: { title: tool.name, ...hints.execute },
    },
    async call(params, context) {
      const entry = await reached();
      const given = inWordsOf(entry.wire.inputSchema, tool, params.arguments);
      return entry.call({ ...params, name: entry.wire.name, ...(given && { arguments: given }) }, context);
    },
  };
}
