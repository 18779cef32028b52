import { shown } from '../../../kernel/nearest-names.ts';
import type { Rule } from '../../rule.ts';
import type { NodeView, Subject } from '../../subject/subject.ts';
import { named } from '../../messages/named.ts';

const SET = 'n8n-nodes-base.set';

export const mergeSetNodes: Rule = {
  id: 'merge-set-nodes',
  group: 'suggestions',
  title: 'Consecutive Edit Fields nodes are merged into one.',
  severity: 'info',
  check(subject, report) {
    const found = subject.nodes.flatMap((node) => {
      const before = setBefore(node, subject);
      return before ? [{ node, before }] : [];
    });
    const [first, ...others] = found;
    if (!first) return;
    report({
      node: first.node.name,
      path: first.node.pointer,
      message: `"${shown(first.before.name)}" and this node only set fields, one after the other. Merge them into one Edit Fields (Set) node.${
        others.length > 0 ? ` The same goes for ${named(others.map(({ node }) => node))}.` : ''
      }`,
    });
  },
};

const MOST = 2000;

function setBefore(node: NodeView, subject: Subject): NodeView | undefined {
  if (!isSet(node)) return undefined;
  const before = only(subject.to(node).map(({ source }) => source));
  if (!before || !isSet(before) || only(subject.from(before).map(({ target }) => target)) !== node) return undefined;
  // Other nodes may read data from the first one.
  return subject.nodes.length <= MOST && isMentioned(before, subject) ? undefined : before;
}

function isSet({ type, disabled, parameters }: NodeView): boolean {
  return type === SET && !disabled && parameters['mode'] !== 'raw';
}

function only<T>(list: readonly T[]): T | undefined {
  return list.length === 1 ? list[0] : undefined;
}

function isMentioned({ name }: NodeView, subject: Subject): boolean {
  return subject.nodes.some((node) => node.expressions().some(({ text }) => text.includes(name)));
}
