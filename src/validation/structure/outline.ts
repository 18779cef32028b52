import type { NodeView, Subject } from '../subject/subject.ts';
import { checkedNodes } from '../parameters/checked-fields.ts';
import { isMissing } from '../parameters/missing-value.ts';

/** With fewer nodes it is more likely that somebody forgot, unless there are notes: those come with what is handed on. */
const LEAST = 5;
const LEAST_WITH_NOTES = 3;

const outlines = new WeakMap<Subject, boolean>();

/**
 * Not one of its nodes has parameters, though some need them: somebody drew it, or they were removed on the way here.
 * That is one thing to say, and not one for every field of every node; and what depends on parameters, such as how many
 * outputs a node has, cannot be judged.
 */
export function isOutline(subject: Subject): boolean {
  let found = outlines.get(subject);
  if (found === undefined) {
    // Those of a type that nobody knows were drawn like the others.
    const nodes = subject.nodes.filter(({ disabled, sticky }) => !disabled && !sticky);
    found =
      nodes.length >= (subject.nodes.some(({ sticky }) => sticky) ? LEAST_WITH_NOTES : LEAST) &&
      nodes.every(({ parameters }) => Object.keys(parameters).length === 0) &&
      checkedNodes(subject).some(lacksSomething);
    outlines.set(subject, found);
  }
  return found;
}

/** n8n refuses it as it is, or it would run the sample that the editor puts into an empty Code node. */
function lacksSomething(node: NodeView): boolean {
  if (node.type === 'n8n-nodes-base.code') return true;
  return node.fields().some((field) => {
    const { required, typeOptions } = field.property;
    if (required === true) return isMissing(field);
    return field.path.length === 1 && Number(typeOptions?.['minRequiredFields']) > 0;
  });
}
