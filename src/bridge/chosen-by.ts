import { globMatcher } from '../kernel/glob.ts';
import type { Choosing } from './settings.ts';

/** Why a workflow or its AI tools are chosen. */
export type Chosen = 'tag' | 'config' | 'available_in_mcp' | 'asked' | 'file';

export interface Choice {
  /** Why its AI tools are chosen; undefined if they are not. */
  readonly tools?: Chosen | undefined;
  /** Why the workflow itself is chosen; undefined if it is not. */
  readonly workflow?: Chosen | undefined;
  /** The configuration excludes it. Overrides everything else. */
  readonly excluded?: true;
}

interface Candidate {
  readonly id: string;
  readonly name: string;
  readonly availableInMCP?: boolean;
}

/**
 * Why a workflow is chosen. A tag, a name or `bridge apply` chooses its AI tools too; n8n's switch "Available in MCP"
 * chooses only the workflow itself.
 */
export function chosenBy(
  workflow: Candidate,
  tags: readonly string[],
  project: { readonly id: string; readonly name?: string } | undefined,
  { workflows, tools, projects, asked }: Choosing,
): Choice {
  const fits = (globs: readonly string[]) => matches(globs, [workflow.id, workflow.name]);
  const home = project ? [project.id, ...(project.name === undefined ? [] : [project.name])] : [];
  const isElsewhere = projects.include.length > 0 && !matches(projects.include, home);
  if (isElsewhere || matches(projects.exclude, home) || fits(workflows.exclude)) return { excluded: true };
  const tagged = (tag: string) => tag !== '' && tags.includes(tag);
  const byName = fits(workflows.include) ? 'config' : undefined;
  const byTag = tagged(workflows.tag) ? 'tag' : undefined;
  const byHand = asked?.includes(workflow.id) ? 'asked' : undefined;
  const available = workflows.availableInMCP && workflow.availableInMCP === true;
  const toolsByName = fits(tools.workflows) ? 'config' : undefined;
  const toolsByTag = tagged(tools.tag) ? 'tag' : undefined;
  return {
    tools: byName ?? toolsByName ?? byTag ?? toolsByTag ?? byHand,
    workflow: byName ?? byTag ?? byHand ?? (available ? 'available_in_mcp' : undefined),
  };
}

function matches(globs: readonly string[], names: readonly string[]): boolean {
  if (globs.length === 0) return false;
  const fits = globMatcher(globs);
  return names.some((name) => globs.includes(name) || fits(name));
}
