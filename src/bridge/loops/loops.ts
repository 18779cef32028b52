import type { Found } from '../discover.ts';
import type { Leads } from './leads.ts';
import { createNesting, type Nesting } from './nesting.ts';
import { type LeadingTool, NO_RISK, type Risk, risksOf, UNKNOWN_RISK } from './risk.ts';

/** Keeps tools from calling themselves: all that the bridge lists, of every n8n, because one may lead to another. */
export interface Loops extends Nesting {
  /** Who brings tools says which, whenever that is asked. */
  add(tools: (found: FoundIn) => readonly LeadingTool[]): void;
  /** Tools or workflows are other than before. */
  changed(): void;
}

/** What was found, by the name of the n8n. */
export type FoundIn = ReadonlyMap<string, readonly Found[]>;

/** What a workflow goes by among those of every n8n. */
export const workflowKey = (instance: string, id: string): string => `${instance}/${id}`;

export function createLoops(deps: {
  /** Where clients reach this gateway: known only once it serves. */
  ownUrls(): readonly string[];
  found(): FoundIn;
}): Loops {
  const sources: ((found: FoundIn) => readonly LeadingTool[])[] = [];
  let known: { urls: string; tools: ReadonlySet<string>; risks: ReadonlyMap<string, Risk> } | undefined;

  function riskOf(key: string): Risk {
    const ownUrls = deps.ownUrls();
    const urls = ownUrls.join();
    if (known?.urls !== urls) {
      const found = deps.found();
      const tools = sources.flatMap((source) => source(found));
      const risks = risksOf(tools, workflowsIn(found), ownUrls);
      known = { urls, tools: new Set(tools.map((tool) => tool.key)), risks };
    }
    return known.risks.get(key) ?? (known.tools.has(key) ? NO_RISK : UNKNOWN_RISK);
  }

  return {
    ...createNesting(riskOf),
    add: (tools) => void sources.push(tools),
    changed() {
      known = undefined;
    },
  };
}

function workflowsIn(found: FoundIn): Map<string, Leads> {
  const all = new Map<string, Leads>();
  for (const [instance, workflows] of found)
    for (const { id, leads } of workflows) if (leads) all.set(workflowKey(instance, id), within(instance, leads));
  return all;
}

/** The same, with workflows as they go by among those of every n8n. */
export const within = (instance: string, leads: Leads): Leads => ({
  ...leads,
  workflows: leads.workflows.map((id) => workflowKey(instance, id)),
});
