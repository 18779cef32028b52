// npm run bench -- --recall, or npx node bench/recall/run.ts [misses]: how often a search finds the right note.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { notesInLanguages, questionsInLanguages } from '../../test/recall/languages.ts';
import { notes } from '../../test/recall/notes.ts';
import { questions } from '../../test/recall/questions.ts';
import { meaningAlone } from './meaning-alone.ts';
import type { MakeRanker } from './ranker.ts';
import { serverMemory } from './server-memory.ts';
import { sluiceMemory } from './sluice.ts';
import { answersOf, hitTable, type Row, rowOf } from './table.ts';
import { wordsAlone } from './words-alone.ts';

const rankers: readonly MakeRanker[] = [wordsAlone, meaningAlone, serverMemory, sluiceMemory];

interface Missed {
  readonly ranker: string;
  readonly question: string;
  readonly notes: readonly string[];
  readonly rank: number;
}

export interface RecallFigures {
  readonly notes: number;
  readonly rows: readonly Row[];
  /** Questions whose note is not among the first five. Never held-out ones: nobody may tune with those. */
  readonly missed: readonly Missed[];
}

export async function measureRecall(root: string, say: (line: string) => void): Promise<RecallFigures> {
  const rows: Row[] = [];
  const missed: Missed[] = [];
  const folder = () => mkdtemp(join(root, 'recall-'));
  for (const make of rankers) {
    await using ranker = make(await folder());
    say(`recall: ${ranker.name}`);
    const english = await answersOf(ranker, notes, questions);
    await using another = make(await folder());
    const others = await answersOf(another, notesInLanguages, questionsInLanguages);
    rows.push(rowOf(ranker.name, english, others));
    for (const { question, rank } of english) {
      if (question.tuning && rank > 5)
        missed.push({ ranker: ranker.name, question: question.text, notes: question.notes, rank });
    }
  }
  return { notes: notes.length, rows, missed };
}

export function recallTable(figures: RecallFigures): string {
  const inLanguages = `${notesInLanguages.length} in other languages`;
  return [`${figures.notes} notes in English, ${inLanguages}.`, '', hitTable(figures.rows)].join('\n');
}

function missedTable({ missed }: RecallFigures): string {
  return [
    '| missed by | question | its note | rank |',
    '| --- | --- | --- | --: |',
    ...missed.map(
      ({ ranker, question, notes: ids, rank }) =>
        `| ${ranker} | ${question} | ${ids.join(', ')} | ${Number.isFinite(rank) ? rank : 'none'} |`,
    ),
  ].join('\n');
}

if (import.meta.main) {
  const root = await mkdtemp(join(tmpdir(), 'sluice-bench-'));
  try {
    const figures = await measureRecall(root, (line) => console.error(line));
    console.log(recallTable(figures));
    if (process.argv[2] === 'misses') console.log(`\n${missedTable(figures)}`);
  } finally {
    await rm(root, { recursive: true, force: true, maxRetries: 5 });
  }
}
