import { UsageError } from '../../../../cli/frame.ts';
import { findRunning, reach } from '../../../../cli/reach.ts';
import { given } from '../../../../cli/values.ts';
import { globMatcher } from '../../../../kernel/glob.ts';
import { didYouMean, nearestNames, oneOf, sentences } from '../../../../kernel/nearest-names.ts';
import type { ServerPlace } from '../../starting.ts';

export interface ToolWish {
  readonly toolset: string | undefined;
  /** Those of the configuration. */
  readonly toolsets: readonly string[];
  readonly file: string | undefined;
  /** Names or patterns; undefined if there is no Agent to give them to. */
  readonly wanted: readonly string[] | undefined;
}

export interface FoundTools {
  /** For the Agent. */
  readonly chosen: readonly string[];
  /** Everything that ARK will see; undefined if no gateway said so. */
  readonly listed?: readonly string[];
}

const isPattern = (text: string): boolean => /[*?]/.test(text);

/** Asks the running gateway. Only patterns make it worth starting one. */
export async function findTools(place: ServerPlace, wish: ToolWish): Promise<FoundTools> {
  const { toolset, file, wanted } = wish;
  const view = { expose: 'flat' as const, ...given('toolset', toolset) };
  const running = await findRunning(place, view);
  if (!running && !wanted?.some(isPattern)) return { chosen: wanted ?? [] };
  await using client = running ?? (await reach(place, { ...view, ...given('file', file) }));
  assertToolset(wish);
  const listed = (await client.tools()).map(({ name }) => name);
  if (!wanted) return { chosen: [], listed };
  for (const name of wanted) if (!isPattern(name)) assertListed(name, listed);
  const chosen = listed.filter(globMatcher(wanted));
  if (chosen.length === 0)
    throw new UsageError(`no tool matches --tools ${wanted.join(',')}. \`sluice tools\` lists them`);
  return { chosen, listed };
}

/** A gateway without the toolset would list nothing. */
function assertToolset({ toolset, toolsets }: ToolWish): void {
  if (toolset === undefined || toolsets.includes(toolset)) return;
  const known = toolsets.length > 0 ? `use ${oneOf(toolsets)}` : 'sluice.yaml has none';
  throw new UsageError(`there is no toolset ${toolset}: ${known}`);
}

function assertListed(name: string, listed: readonly string[]): void {
  if (listed.includes(name)) return;
  const meant = didYouMean(nearestNames(name, listed));
  throw new UsageError(sentences(`there is no tool ${name} here.`, meant, '`sluice tools` lists them'));
}
