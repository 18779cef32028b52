import type { Subject } from '../../subject.ts';
import { checkedNodes } from './checked-fields.ts';
import { isMissing } from './missing-value.ts';

/** With fewer nodes it is more likely that somebody forgot. */
const LEAST = 5;

const outlines = new WeakMap<Subject, boolean>();

/**
 * Not one of its nodes has parameters, though some need them: somebody drew it, or they were removed on the way here.
 * That is one thing to say, and not one for every field of every node; and what depends on parameters, such as how many
 * outputs a node has, cannot be judged.
 */
export function isOutline(subject: Subject): boolean {
  let found = outlines.get(subject);
  if (found === undefined) {
    const nodes = checkedNodes(subject);
    found =
      nodes.length >= LEAST &&
      nodes.every(({ parameters }) => Object.keys(parameters).length === 0) &&
      nodes.some((node) => node.fields().some((field) => field.property.required === true && isMissing(field)));
    outlines.set(subject, found);
  }
  return found;
}
