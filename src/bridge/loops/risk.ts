import type { Node } from '../../n8n/client/shapes.ts';
import { placeOf } from '../place.ts';
import type { Leads } from './leads.ts';

/** Whether a tool can call itself through this gateway, as far as its nodes show. */
export interface Risk {
  /** Through an MCP client node that points at us. */
  readonly comesBack: boolean;
  /** Through an HTTP Request node that points at us. Its calls do not show that they come from n8n. */
  readonly overHttp: boolean;
  /** It runs a workflow that is known only at run time. */
  readonly unseen: boolean;
}

/** A tool of the bridge, and what it calls. */
export interface LeadingTool {
  readonly key: string;
  /** Its exposed name. */
  readonly name: string;
  /** The source in `<source>_call`, which can call it too. */
  readonly source: string;
  /** Keys of the workflows that it runs. */
  readonly workflows: readonly string[];
  /** What its own nodes call. */
  readonly leads?: Leads | undefined;
}

export const NO_RISK: Risk = { comesBack: false, overHttp: false, unseen: false };
/** For a tool of which nothing is known. */
export const UNKNOWN_RISK: Risk = { ...NO_RISK, unseen: true };

/**
 * Follows what each tool calls: workflows, the workflows that those run, and the tools of ours that their MCP clients may
 * use. `workflows` are by key and refer to each other by key. Leaves out tools without risk.
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

/** An address that is an expression may be ours. */
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
  if (typeof fixed === 'string' && fixed !== '' && !fixed.startsWith('=')) return reaches(fixed, tool);
  const names = (list: unknown): string[] | undefined => (Array.isArray(list) ? list.map(String) : undefined);
  if (include === 'selected') return names(includeTools)?.some((name) => reaches(name, tool)) ?? true;
  if (include === 'except') return !(names(excludeTools)?.includes(tool.name) ?? false);
  return true;
}

/** Whether the name is this tool, or a tool through which it can be called. */
const reaches = (name: string, { name: own, source }: LeadingTool): boolean =>
  [own, 'call_tool', `${source}_call`, `${source}_read`].includes(name.replace(':', '__'));
