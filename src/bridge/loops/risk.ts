import type { Node } from '../../n8n/client/shapes.ts';
import { placeOf } from '../place.ts';
import type { Leads } from './leads.ts';

/** Whether a tool can come back to itself through this gateway, as far as that can be seen. */
export interface Risk {
  /** By an MCP client node that points at us. */
  readonly comesBack: boolean;
  /** By an HTTP Request node that points at us: such a caller does not say that it is n8n. */
  readonly overHttp: boolean;
  /** It leads to a workflow that is known only when it runs. */
  readonly unseen: boolean;
}

/** A tool of the bridge, and where it leads. */
export interface LeadingTool {
  readonly key: string;
  /** As clients know it. */
  readonly name: string;
  /** What stands for it in `<source>_call`. */
  readonly source: string;
  /** Keys of the workflows that it runs. */
  readonly workflows: readonly string[];
  /** Where it leads itself. */
  readonly leads?: Leads | undefined;
}

export const NO_RISK: Risk = { comesBack: false, overHttp: false, unseen: false };
/** Nothing is known of where it leads. */
export const UNKNOWN_RISK: Risk = { ...NO_RISK, unseen: true };

/**
 * Follows what each tool leads to: workflows, what those run in their turn, and the tools of ours that clients in them
 * may call. `workflows` are by key, and name others by key too. Tools without any risk are left out.
 */
export function risksOf(
  tools: readonly LeadingTool[],
  workflows: ReadonlyMap<string, Leads>,
  ownUrls: readonly string[],
): Map<string, Risk> {
  const own = new Set(ownUrls.flatMap((url) => placeOf(url) ?? []));
  const risks = new Map<string, Risk>();
  for (const tool of tools) {
    const narrow = reach(tool, false);
    const comesBack = narrow.tools.has(tool);
    const overHttp = !comesBack && reach(tool, true).tools.has(tool);
    if (comesBack || overHttp || narrow.unseen) risks.set(tool.key, { comesBack, overHttp, unseen: narrow.unseen });
  }
  return risks;

  function reach(from: LeadingTool, overHttp: boolean) {
    const seen = new Set<string>();
    const reached = new Set<LeadingTool>();
    const queue: { leads?: Leads | undefined; workflows: readonly string[] }[] = [from];
    let unseen = false;
    for (const { leads, workflows: runs } of queue) {
      unseen ||= leads?.unseen === true;
      for (const key of [...runs, ...(leads?.workflows ?? [])]) {
        if (seen.has(key)) continue;
        seen.add(key);
        queue.push({ leads: workflows.get(key), workflows: [] });
      }
      const ours = (leads?.clients ?? []).filter((node) => pointsAt(node, own));
      const asksUs = overHttp && (leads?.places ?? []).some((place) => own.has(place));
      if (ours.length === 0 && !asksUs) continue;
      for (const tool of tools) {
        if (reached.has(tool) || !(asksUs || ours.some((node) => mayCall(node, tool)))) continue;
        reached.add(tool);
        queue.push(tool);
      }
    }
    return { tools: reached, unseen };
  }
}

/** An address that is made up only when it runs may be ours. */
function pointsAt({ parameters }: Node, own: ReadonlySet<string>): boolean {
  const url = parameters.endpointUrl;
  if (typeof url !== 'string') return false;
  if (url.startsWith('=')) return true;
  const place = placeOf(url);
  return place !== undefined && own.has(place);
}

function mayCall({ parameters }: Node, tool: LeadingTool): boolean {
  const { include, includeTools, excludeTools, tool: one } = parameters;
  const fixed = typeof one === 'object' && one !== null ? (one as { value?: unknown }).value : one;
  if (typeof fixed === 'string' && fixed !== '' && !fixed.startsWith('=')) return stands(fixed, tool);
  const names = (list: unknown): string[] | undefined => (Array.isArray(list) ? list.map(String) : undefined);
  if (include === 'selected') return names(includeTools)?.some((name) => stands(name, tool)) ?? true;
  if (include === 'except') return !(names(excludeTools)?.includes(tool.name) ?? false);
  return true;
}

/** Whether that is the tool, or something through which it can be called. */
const stands = (name: string, { name: own, source }: LeadingTool): boolean =>
  [own, 'call_tool', `${source}_call`, `${source}_read`].includes(name.replace(':', '__'));
