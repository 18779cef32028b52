import { shown } from '../../kernel/nearest-names.ts';
import type { NodeView } from '../subject/subject.ts';

/** How many names are listed. */
const MOST = 5;

/** Lint reports a habit once, at the first node, and lists the others: `"A", "B" and 3 more`. */
export function named(nodes: readonly NodeView[]): string {
  const names = nodes.slice(0, MOST).map(({ name }) => `"${shown(name)}"`);
  if (nodes.length > MOST) return `${names.join(', ')} and ${nodes.length - MOST} more`;
  return names.length > 1 ? `${names.slice(0, -1).join(', ')} and ${names.at(-1)}` : (names[0] ?? '');
}
