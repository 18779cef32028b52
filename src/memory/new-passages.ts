import type { Pace } from '../kernel/pace.ts';
import { termsOf } from '../kernel/terms.ts';
import type { NewPassage } from './engine.ts';
import { passagesOf } from './passages.ts';

/** The passages of a text, without vectors. A text may have a million characters, so others run in between. */
export async function newPassages(text: string, pace: Pace): Promise<NewPassage[]> {
  const made: NewPassage[] = [];
  for (const one of passagesOf(text)) {
    made.push({ text: one, words: termsOf(one).join(' ') });
    await pace();
  }
  return made;
}
