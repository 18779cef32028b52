import type { NodeView, Subject } from '../subject/subject.ts';
import { checkedNodes } from '../parameters/checked-fields.ts';
import { isMissing } from '../parameters/missing-value.ts';

/** With fewer nodes the author more likely forgot the parameters. Notes suggest a shared workflow. */
const LEAST = 5;
const LEAST_WITH_NOTES = 3;

const outlines = new WeakMap<Subject, boolean>();

/**
 * No node has parameters, although some need them: it is a sketch, or the parameters were removed. That is one finding,
 * not one for every field of every node. Anything that depends on parameters, such as the number of outputs, is unknown.
 */
export function isOutline(subject: Subject): boolean {
  let found = outlines.get(subject);
  if (found === undefined) {
    // Nodes of unknown types count, too.
    const nodes = subject.nodes.filter(({ disabled, sticky }) => !disabled && !sticky);
    found =
      nodes.length >= (subject.nodes.some(({ sticky }) => sticky) ? LEAST_WITH_NOTES : LEAST) &&
      nodes.every(({ parameters }) => Object.keys(parameters).length === 0) &&
      checkedNodes(subject).some(lacksSomething);
    outlines.set(subject, found);
  }
  return found;
}

/** n8n refuses the node, or would run the sample code that the editor puts into an empty Code node. */
function lacksSomething(node: NodeView): boolean {
  if (node.type === 'n8n-nodes-base.code') return true;
  return node.fields().some((field) => {
    const { required, typeOptions } = field.property;
    if (required === true) return isMissing(field);
    return field.path.length === 1 && Number(typeOptions?.['minRequiredFields']) > 0;
  });
}
