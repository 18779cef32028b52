import type { SourceVerdict, ToolVerdict } from '../ai-tools/wanted-tools.ts';
import { comparedName, isIn, type NamedTool, type NamedTools } from './named-tools.ts';

/** An AI tool in n8n, and the workflow that has it. */
interface Place {
  readonly verdict: SourceVerdict;
  readonly tool: ToolVerdict;
}

/** Finds the AI tools that a named tool means, the best first: of a workflow that is chosen in another way, too. */
export function placesIn(verdicts: readonly SourceVerdict[]): (tool: NamedTool) => readonly Place[] {
  const all = verdicts
    .toSorted((a, b) => Number(a.chosen === 'file') - Number(b.chosen === 'file'))
    .flatMap((verdict) => verdict.tools.map((tool): Place => ({ verdict, tool })));
  const byNode = Map.groupBy(all, ({ tool }) => tool.tool.node.id);
  const byName = Map.groupBy(all, ({ tool: { tool } }) => comparedName(tool.node.name, tool.node.type));
  return (tool) =>
    ((tool.node === undefined ? byName.get(comparedName(tool.name)) : byNode.get(tool.node)) ?? []).filter(
      ({ verdict }) => isIn(tool, verdict.found),
    );
}

/**
 * Of the workflows that only the shared file chooses, keeps one tool for each that the file names: many workflows may have
 * a calculator.
 */
export function onlyNamed(verdicts: readonly SourceVerdict[], named: NamedTools): SourceVerdict[] {
  if (!verdicts.some(({ chosen }) => chosen === 'file')) return [...verdicts];
  const fit = verdicts
    .filter(({ chosen }) => chosen !== undefined)
    .map((one) => ({ ...one, tools: one.tools.filter(({ reason }) => reason === undefined) }));
  const placesOf = placesIn(fit);
  const meant = new Set(named.tools.flatMap((tool) => placesOf(tool)[0]?.tool ?? []));
  return verdicts.map((verdict) => {
    if (verdict.chosen !== 'file') return verdict;
    const { chosen, ...others } = verdict;
    if (!verdict.tools.some((tool) => meant.has(tool))) return others;
    const reason = 'The shared file does not name it.';
    const tools = verdict.tools.map(
      (one): ToolVerdict => (meant.has(one) || one.reason !== undefined ? one : { ...one, reason, excluded: true }),
    );
    return { ...others, chosen, tools };
  });
}
