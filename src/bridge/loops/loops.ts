import type { Found } from '../discover.ts';
import type { Leads } from './leads.ts';
import { createNesting, type Nesting } from './nesting.ts';
import { type LeadingTool, NO_RISK, type Risk, risksOf, UNKNOWN_RISK } from './risk.ts';

/** Keeps tools from calling themselves. Covers the tools of every n8n, because a tool may call one of another n8n. */
export interface Loops extends Nesting {
  /** Adds a provider of tools. It is called each time the risks are computed. */
  add(tools: (found: FoundIn) => readonly LeadingTool[]): void;
  /** Tools or workflows changed. */
  changed(): void;
}

/** What was found, by n8n. */
export type FoundIn = ReadonlyMap<string, readonly Found[]>;

/** A workflow's key, unique across all n8n. */
export const workflowKey = (instance: string, id: string): string => `${instance}/${id}`;

export function createLoops(deps: {
  /** URLs of this gateway, known once it serves. */
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

/** Replaces workflow ids by keys. */
export const within = (instance: string, leads: Leads): Leads => ({
  ...leads,
  workflows: leads.workflows.map((id) => workflowKey(instance, id)),
});
