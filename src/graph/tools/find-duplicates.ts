import { z } from 'zod';
import type { Head } from '../engine.ts';
import { asOf, graphTool } from '../tool.ts';
import { anyRoom, roomFor } from './fitting.ts';
import { truncatedOutput } from './shown.ts';

const SHOWN = 20;
const MOST_COMPARED = 20_000;
const PAGE = 2000;

export const findDuplicates = graphTool({
  name: 'graph_find_duplicates',
  title: 'Find duplicates',
  description:
    'Groups entities of the knowledge graph whose names are the same in another spelling or differ by one letter. graph_merge_entities makes one of them.',
  effect: 'read',
  phrases:
    'are there duplicates in the graph; find duplicate entities; which nodes are probably the same; similar names in the graph; suggest what to merge; clean up doubles; misspelled entity names',
  input: z.strictObject({ limit: z.int().min(1).max(500).default(SHOWN).describe('At most this many groups') }),
  output: z.looseObject({
    groups: z.array(
      z.object({
        why: z.enum(['same name', 'similar name']),
        entities: z.array(z.object({ name: z.string(), type: z.string() })),
      }),
    ),
    truncated: truncatedOutput,
  }),
  async run({ limit }, deps, { signal }) {
    const graph = await deps.graph();
    const heads: Head[] = [];
    let after: string | undefined;
    do {
      signal.throwIfAborted();
      const page = await graph.heads({ asOf: asOf(undefined), limit: PAGE, ...(after !== undefined && { after }) });
      heads.push(...page.items);
      after = page.next;
    } while (after !== undefined && heads.length < MOST_COMPARED);
    const { duplicatesAmong } = await import('../duplicates.ts');
    const found = await duplicatesAmong(heads);
    const groups = (limit > SHOWN ? anyRoom : roomFor()).fitting(found.slice(0, limit));
    const notes = [
      ...(found.length > groups.length
        ? [`${found.length - groups.length} more groups are not shown. Raise limit.`]
        : []),
      ...(after === undefined ? [] : [`Only the first ${heads.length} entities were compared.`]),
    ];
    return { groups, ...(notes.length > 0 && { truncated: notes.join(' ') }) };
  },
});
