import type { z } from 'zod';
import type { GitHub, Path, Question } from './connection.ts';
import { nextIn } from './page.ts';

const MOST_PAGES = 5;
/** GitHub's largest page. */
const PAGE = 100;

/** The first 500 items of a list, for summaries. */
export async function allPages<A, T>(
  github: Pick<GitHub, 'answer'>,
  { type, path, items }: { type: z.ZodType<A>; path: Path; items: (answer: A) => readonly T[] },
  question: Pick<Question, 'signal' | 'progress'>,
): Promise<T[]> {
  const found: T[] = [];
  for (let page = 1; page <= MOST_PAGES; page += 1) {
    const query = { per_page: PAGE, ...(page > 1 && { page }) };
    const { data, headers } = await github.answer(type, path, { query, ...question });
    found.push(...items(data));
    if (nextIn(headers.link) === undefined) break;
  }
  return found;
}
