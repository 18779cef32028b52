import { shown } from '../../../kernel/nearest-names.ts';
import type { Rule } from '../../rule.ts';
import type { NodeView, Subject } from '../../subject.ts';

const SET = 'n8n-nodes-base.set';

export const mergeSetNodes: Rule = {
  id: 'merge-set-nodes',
  group: 'suggestions',
  title: 'Fields that are set one after the other are set in one node.',
  severity: 'info',
  check(subject, report) {
    for (const node of subject.nodes) {
      if (!isSet(node)) continue;
      const before = only(subject.to(node).map(({ source }) => source));
      if (!before || !isSet(before) || only(subject.from(before).map(({ target }) => target)) !== node) continue;
      // What other nodes ask the first one for, they still need.
      if (subject.nodes.length <= MOST && isMentioned(before, subject)) continue;
      report({
        node: node.name,
        path: node.pointer,
        message: `"${shown(before.name)}" and this node only set fields, one after the other. One Edit Fields node can do both.`,
      });
    }
  },
};

const MOST = 2000;

function isSet({ type, disabled, parameters }: NodeView): boolean {
  return type === SET && !disabled && parameters['mode'] !== 'raw';
}

function only<T>(list: readonly T[]): T | undefined {
  return list.length === 1 ? list[0] : undefined;
}

function isMentioned({ name }: NodeView, subject: Subject): boolean {
  return subject.nodes.some((node) => node.expressions().some(({ text }) => text.includes(name)));
}
