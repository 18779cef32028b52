import { exposedName } from '../../gateway/names.ts';
import { argumentCheck } from '../../kernel/argument-check.ts';
import { hints } from '../../kernel/effect.ts';
import { AppError } from '../../kernel/errors.ts';
import { shown } from '../../kernel/nearest-names.ts';
import { scopeFor } from '../../kernel/principal.ts';
import type { Entry } from '../../kernel/source.ts';
import { soleArgument } from '../ai-tools/sole-argument.ts';
import type { SourceVerdict } from '../ai-tools/wanted-tools.ts';
import type { BridgeDeps } from '../exposer.ts';
import { placesIn } from './named-places.ts';
import type { NamedTool } from './named-tools.ts';
import { passOn } from './pass-on.ts';
import { scanNow } from './scan-now.ts';
import { wireOf } from './wire-of.ts';

/** Prefix of the tools that the shared file names outside of a workflow. */
const PREFIX = 'shared';

export interface NamedDeps extends Pick<BridgeDeps, 'found' | 'tool' | 'refresh' | 'state' | 'redact'> {
  judge(instance: string, found: ReturnType<BridgeDeps['found']>): readonly SourceVerdict[];
}

/** Finds the tool of the gateway that a named tool means, as of now. */
export function createFinder(deps: NamedDeps, instance: string): (tool: NamedTool) => Entry | undefined {
  const placesOf = placesIn(deps.judge(instance, deps.found(instance)));
  return (tool) => {
    for (const { verdict, tool: one } of placesOf(tool)) {
      const entry = one.reason === undefined ? deps.tool?.(exposedName(verdict.slug, one.name)) : undefined;
      if (entry) return entry;
    }
    return undefined;
  };
}

/** A tool of the shared file under a name of its own. A call goes to the AI tool of n8n that the file means. */
export function namedEntry(
  deps: NamedDeps,
  instance: string,
  name: string,
  tool: NamedTool,
  found: Entry | undefined,
): Entry {
  const exposed = exposedName(PREFIX, name);

  async function reached(): Promise<Entry> {
    const known = createFinder(deps, instance)(tool);
    if (known) return known;
    await scanNow(deps, instance, exposed);
    const real = createFinder(deps, instance)(tool);
    if (real) return real;
    throw whyNot();
  }

  function whyNot(): AppError {
    const places = placesIn(deps.judge(instance, deps.found(instance)))(tool);
    if (places.some(({ verdict, tool: { reason } }) => reason === undefined && verdict.chosen !== undefined))
      return new AppError('unavailable', `${exposed} is not ready yet. bridge_status says why. Try again in a minute.`);
    const [place] = places;
    if (!place)
      return new AppError(
        'not_found',
        `n8n (${instance}) has no AI tool called ${shown(tool.name)}. Connect a node of that name to an agent as a tool, or correct the shared file.`,
      );
    const { verdict } = place;
    const reason = place.tool.reason ?? 'The configuration excludes this workflow, or it is archived.';
    return new AppError('unsupported', `${exposed} cannot be called. It is in ${shown(verdict.found.name)}: ${reason}`);
  }

  const wire = wireOf(exposed, tool, `The AI tool ${shown(tool.name)} of n8n.`, found?.wire.inputSchema);
  const meant = soleArgument(wire.inputSchema);
  // It may require more than the tool in n8n does, which checks the rest.
  const check = argumentCheck(wire.inputSchema);
  return {
    tool: exposed,
    effect: 'execute',
    scope: scopeFor(PREFIX, 'execute'),
    category: 'workflow',
    tags: ['n8n', 'bridge'],
    wire: { ...wire, annotations: { title: tool.name, ...hints.execute } },
    ...(meant && { meant }),
    async call(params, context) {
      check(exposed, params.arguments);
      return passOn(await reached(), params, context);
    },
  };
}
