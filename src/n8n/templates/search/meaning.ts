import { createHash } from 'node:crypto';
import type { Embedder } from '../../../embedder/embedder.ts';
import type { TemplateSummary } from '../template.ts';

/** The model reads about sixty words and ignores the rest. */
const READ_CHARACTERS = 200;
/** A search does not wait longer for the model, which may be busy with other texts. */
const PATIENCE_MS = 150;
const MOST_QUESTIONS = 64;
/** Texts that are less alike have nothing to do with each other. */
const ALIKE = 0.35;
/** Nor have those that are much less alike than the best one. */
const BEHIND = 0.2;
/** After this much change the texts are prepared again; until then, new templates are found by words only. */
const SETTLE_MS = 1000;

/** Finds templates by what they mean. */
export interface TemplateMeaning {
  /** Tells what there is. Vectors are made later, in another thread. */
  update(templates: ReadonlyMap<string, TemplateSummary>): void;
  /** Ids, most alike first; undefined while that is not known. Waits this long for vectors that are being made. */
  near(question: string, waitMs?: number): Promise<readonly string[] | undefined>;
  readonly isReady: boolean;
}

interface Prepared {
  readonly key: string;
  readonly ids: readonly string[];
  /** Answers to recent questions. */
  readonly answers: Map<string, Promise<Float64Array | undefined>>;
}

export function templateMeaning(load: () => Promise<Embedder>, file: string): TemplateMeaning {
  let wanted: ReadonlyMap<string, TemplateSummary> = new Map();
  let begun: ReadonlyMap<string, TemplateSummary> | undefined;
  let ready: Prepared | undefined;
  let making: Promise<void> | undefined;
  let embedder: Embedder | undefined;
  let changedAt = 0;

  async function make(): Promise<void> {
    begun = wanted;
    const templates = [...begun.values()];
    const texts = templates.map(textOf);
    const key = `templates-${createHash('sha256').update(texts.join('\n')).digest('hex')}`;
    if (!embedder) {
      embedder = await load();
      embedder.onEnd(() => {
        ready = undefined;
        begun = undefined;
      });
    }
    const state = await embedder.prepare({ key, texts, file, make: true });
    if (state === 'ready') ready = { key, ids: templates.map(({ id }) => id), answers: new Map() };
    // The next question tries again.
    else begun = undefined;
  }

  function begin(): void {
    const isSettled = !ready || Date.now() - changedAt >= SETTLE_MS;
    if (making || wanted === begun || wanted.size === 0 || !isSettled) return;
    making = make()
      .catch(() => {
        begun = undefined;
      })
      .finally(() => {
        making = undefined;
      });
  }

  async function compared(
    { key, answers }: Prepared,
    question: string,
    patienceMs: number,
  ): Promise<Float64Array | undefined> {
    let answer = answers.get(question);
    if (!answer) {
      answer = (embedder as Embedder).compare(key, question);
      answers.set(question, answer);
      for (const oldest of answers.keys()) {
        if (answers.size <= MOST_QUESTIONS) break;
        answers.delete(oldest);
      }
    }
    const alike = await within(patienceMs, answer);
    if (alike === 'late') return undefined;
    // The thread forgot the vectors to make room for others.
    if (alike === undefined && ready?.key === key) ready = undefined;
    return alike;
  }

  return {
    update(templates) {
      if (templates === wanted) return;
      wanted = templates;
      changedAt = Date.now();
    },
    get isReady() {
      return ready !== undefined;
    },
    async near(question, waitMs = 0) {
      begin();
      if (!ready && making && waitMs > 0) await within(waitMs, making);
      const set = ready;
      if (!set || question.trim() === '') return undefined;
      const alike = await compared(set, question, Math.max(waitMs, PATIENCE_MS));
      if (!alike) {
        if (!ready) begun = undefined;
        return undefined;
      }
      const least = Math.max(ALIKE, alike.reduce((most, one) => Math.max(most, one), 0) - BEHIND);
      return set.ids
        .flatMap((id, at) => ((alike[at] ?? 0) >= least && wanted.has(id) ? [{ id, likeness: alike[at] ?? 0 }] : []))
        .sort((one, other) => other.likeness - one.likeness)
        .map(({ id }) => id);
    },
  };
}

const textOf = ({ name, description = '' }: TemplateSummary): string =>
  `${name}: ${description}`.slice(0, READ_CHARACTERS);

/** The answer, or `late` after this time. Waiting keeps the process alive; the thread with the model does not. */
async function within<T>(ms: number, answer: Promise<T>): Promise<T | 'late'> {
  let timer: NodeJS.Timeout | undefined;
  try {
    const late = new Promise<'late'>((resolve) => {
      timer = setTimeout(() => resolve('late'), ms);
    });
    return await Promise.race([answer, late]);
  } finally {
    clearTimeout(timer);
  }
}
