// node bench/n8n-moving.ts: finds templates among 2,000, imports 300 public ones, and promotes 100 workflows to another n8n.
// `npm run bench -- --n8n` prints the same.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startN8n } from './n8n.ts';
import { measurePromotion, type PromotionFigures } from './promotion.ts';
import { type Goal, goalTable } from './report.ts';
import { type ImportFigures, measurePublicTemplates, templateImportTable } from './template-import.ts';
import { measureTemplates, type TemplateFigures } from './templates.ts';

const SEARCH_MS = 10;
const REPLY_KB = 8;

export interface MovingFigures {
  readonly search: TemplateFigures;
  readonly imports: ImportFigures;
  readonly promotion: PromotionFigures;
}

export async function measureMoving(root: string, say: (line: string) => void): Promise<MovingFigures> {
  say('n8n: searching templates');
  const search = await measureTemplates();
  const imports = await measurePublicTemplates(root, say);
  say('n8n: promoting workflows');
  await using from = await startN8n(join(root, 'promote-from'));
  await using to = await startN8n(join(root, 'promote-to'));
  const promotion = await measurePromotion(from, to);
  return { search, imports, promotion };
}

export function movingTable({ search, imports, promotion }: MovingFigures): string {
  const { templates, words, fused, again, vectorsMs } = search;
  const ms = (value: number) => value.toFixed(1);
  const largest = Math.max(
    search.largestReply,
    imports.largestReply,
    ...promotion.runs.map(({ largestReply }) => largestReply),
  );
  const goals: Goal[] = [
    { goal: `p50 of n8n_search_templates, ${templates} templates`, limit: SEARCH_MS, unit: 'ms', rounds: [fused] },
    {
      goal: 'largest reply of a search, an import or a promotion',
      limit: REPLY_KB,
      unit: 'KB',
      rounds: [largest / 1000],
    },
  ];
  return [
    `| n8n_search_templates, ${templates} templates | p50, ms |`,
    '| --- | --: |',
    `| by words | ${ms(words)} |`,
    `| by words and meaning, a new question | ${ms(fused)} |`,
    `| by words and meaning, a question asked before | ${ms(again)} |`,
    '',
    `The vectors were ready ${(vectorsMs / 1000).toFixed(1)} s after the first search, which does not wait for them.`,
    '',
    templateImportTable(imports),
    '',
    `| n8n_promote, ${promotion.workflows} workflows | s | requests per workflow |`,
    '| --- | --: | --: |',
    ...promotion.runs.map(
      ({ what, ms: took, requestsPerWorkflow }) =>
        `| ${what} | ${(took / 1000).toFixed(1)} | ${requestsPerWorkflow.toFixed(2)} |`,
    ),
    '',
    goalTable(goals),
  ].join('\n');
}

if (import.meta.main) {
  const root = await mkdtemp(join(tmpdir(), 'sluice-bench-'));
  try {
    console.log(movingTable(await measureMoving(root, (line) => console.error(line))));
  } finally {
    await rm(root, { recursive: true, force: true, maxRetries: 5 });
  }
}
