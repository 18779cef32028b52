import type { Note } from '../../test/recall/notes.ts';
import type { Question } from '../../test/recall/questions.ts';
import type { Ranker } from './ranker.ts';

type Asked = Pick<Question, 'text' | 'notes'>;

export interface Answer<Q extends Asked = Asked> {
  readonly question: Q;
  /** Rank of the best right note, from 1; Infinity if none was found. */
  readonly rank: number;
}

/** Asks a ranker every question about these notes. */
export async function answersOf<Q extends Asked>(
  ranker: Ranker,
  notes: readonly Note[],
  questions: readonly Q[],
): Promise<Answer<Q>[]> {
  await ranker.prepare(notes);
  const answers: Answer<Q>[] = [];
  for (const question of questions) {
    const at = (await ranker.rank(question.text)).findIndex((id) => question.notes.includes(id));
    answers.push({ question, rank: at < 0 ? Number.POSITIVE_INFINITY : at + 1 });
  }
  return answers;
}

/** Shares from 0 to 1. */
export interface Hits {
  readonly asked: number;
  readonly first: number;
  readonly five: number;
}

function hitsOf(answers: readonly Answer[]): Hits {
  const within = (deepest: number) => answers.filter(({ rank }) => rank <= deepest).length / answers.length;
  return { asked: answers.length, first: within(1), five: within(5) };
}

export interface Row {
  readonly ranker: string;
  readonly hits: Readonly<Record<Column, Hits>>;
}

type Column = 'all' | 'held out' | 'paraphrases' | 'paraphrases, held out' | 'same words' | 'other languages';

export function rowOf(ranker: string, english: readonly Answer<Question>[], others: readonly Answer[]): Row {
  const those = (keep: (question: Question) => boolean) => hitsOf(english.filter(({ question }) => keep(question)));
  return {
    ranker,
    hits: {
      all: hitsOf(english),
      'held out': those(({ tuning }) => !tuning),
      paraphrases: those(({ kind }) => kind === 'paraphrase'),
      'paraphrases, held out': those(({ kind, tuning }) => kind === 'paraphrase' && !tuning),
      'same words': those(({ kind }) => kind === 'words'),
      'other languages': hitsOf(others),
    },
  };
}

/** One row per ranker: hit@1 / hit@5 of each set of questions. */
export function hitTable(rows: readonly Row[]): string {
  const columns = Object.entries(rows[0]?.hits ?? {});
  const percent = (share: number) => (share * 100).toFixed(1);
  return [
    `| hit@1 / hit@5, % | ${columns.map(([column, { asked }]) => `${column} (${asked})`).join(' | ')} |`,
    `| --- |${' --: |'.repeat(columns.length)}`,
    ...rows.map(({ ranker, hits }) => {
      const cells = Object.values(hits).map(({ first, five }) => `${percent(first)} / ${percent(five)}`);
      return `| ${ranker} | ${cells.join(' | ')} |`;
    }),
  ].join('\n');
}
