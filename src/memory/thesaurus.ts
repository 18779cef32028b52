import { termsOf } from '../kernel/terms.ts';

/** Words that mean much the same in notes and in questions about them. A word may be in several lines. */
const lines = `
`;

const related = new Map<string, Set<string>>();
for (const line of lines.trim().split('\n')) {
  const terms = line.split(' ').flatMap((word) => termsOf(word).slice(-1));
  for (const term of terms) {
    const known = related.get(term) ?? new Set<string>();
    related.set(term, known);
    for (const other of terms) if (other !== term) known.add(other);
  }
}

const NONE: ReadonlySet<string> = new Set();

/** Terms with much the same meaning. */
export const relatedTo = (term: string): ReadonlySet<string> => related.get(term) ?? NONE;
