import { type AtMost, atMost } from '../at-most.ts';
import type { DifySettings } from './settings.ts';

/** What outlives a connection, which is closed when nobody uses it. */
interface Kept {
  readonly runs: AtMost;
  readonly answers: Answers;
}

/** The last answers: what did not fit into a reply is read from here. Dify does not give completions a second time. */
export interface Answers {
  keep(id: string, answer: string): void;
  find(id: string): string | undefined;
}

const MOST_ANSWERS = 50;
const MOST_CHARACTERS = 10_000_000;

export function recentAnswers(mostAnswers = MOST_ANSWERS, mostCharacters = MOST_CHARACTERS): Answers {
  const answers = new Map<string, string>();
  let characters = 0;
  return {
    keep(id, answer) {
      characters += answer.length - (answers.get(id)?.length ?? 0);
      answers.delete(id);
      answers.set(id, answer);
      for (const [oldest, text] of answers) {
        if (answers.size <= mostAnswers && characters <= mostCharacters) break;
        answers.delete(oldest);
        characters -= text.length;
      }
    },
    find: (id) => answers.get(id),
  };
}

const all = new WeakMap<DifySettings, Kept>();

/** One for each section: a new connection must not let more run at once. */
export function keptFor(settings: DifySettings, at: string, setting: string): Kept {
  const known = all.get(settings);
  if (known) return known;
  const kept = {
    runs: atMost(settings.concurrency, at, `${setting}.concurrency`),
    answers: recentAnswers(),
  };
  all.set(settings, kept);
  return kept;
}
