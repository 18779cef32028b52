import { shown } from '../../../kernel/nearest-names.ts';
import type { Rule } from '../../rule.ts';
import type { NodeView, Subject } from '../../subject/subject.ts';
import { reachOf } from '../../connections/reach.ts';
import { grouped, type Mention, mentionsOf, whereIs } from '../../expressions/reference-places.ts';

/** Members that need no data of the node. */
const always = new Set(['isExecuted', 'params', 'parameter', 'context', 'runIndex']);
/** n8n follows the connections back for these, and refuses if there is no path. */
const byConnection = new Set(['item', 'pairedItem', 'itemMatching']);

/** The node has not run by then, or n8n finds no path from its items to these. */
export const referenceNotUpstream: Rule = {
  id: 'reference-not-upstream',
  group: 'expressions',
  title: 'Expressions and code read data only from nodes that come before.',
  severity: { save: 'warning', run: 'error', publish: 'error' },
  check(subject, report) {
    const guarded = guardedNames(subject);
    const { triggers, reached } = reachOf(subject);
    const asking = mentionsOf(subject).filter(({ member }) => !always.has(member ?? ''));
    for (const mentions of grouped(asking)) {
      const mention = mentions.find(failsForSure) ?? mentions[0];
      const { name, of } = mention;
      const target = subject.byName(name);
      if (!target || isLoose(of.node, subject) || subject.upstream(of.node).has(target)) continue;
      const where = whereIs(mention);
      const isItself = target === of.node;
      const later = !isItself && subject.upstream(target).has(of.node);
      // Nothing leads here, so n8n never gets this far: another rule reports that.
      const isDead = triggers.length > 0 && !reached.has(of.node);
      const certain =
        failsForSure(mention) && !isDead && !guarded.has(`${of.pointer} ${name}`) && !isSubNode(target, subject);
      report({
        node: of.node.name,
        path: of.pointer,
        message: isItself
          ? `This reads data from the node itself, which has none yet (${where}). Use $json for the input.`
          : `This reads data from "${shown(name)}" (${where}), ${
              later ? 'which comes after this node' : 'which does not lead to this node'
            }. ${
              certain
                ? 'n8n refuses that. Connect it before this node, or use data that passes through this node.'
                : 'If it has not run by then, this node fails. Connect it before this node, or check isExecuted first.'
            }`,
        ...(!certain && { severity: 'warning' as const }),
      });
    }
  },
};

function failsForSure({ form, member, inTry, of }: Mention): boolean {
  if (inTry || of.language === 'python') return false;
  return form === '$node'
    ? member === 'json' || member === 'data' || member === 'binary'
    : byConnection.has(member ?? '');
}

/** `$('A').isExecuted ? $('A').item… : …` */
function guardedNames(subject: Subject): ReadonlySet<string> {
  return new Set(
    mentionsOf(subject)
      .filter(({ member }) => member === 'isExecuted')
      .map(({ of, name }) => `${of.pointer} ${name}`),
  );
}

/** The node has no input at all: another rule reports that. */
function isLoose(node: NodeView, subject: Subject): boolean {
  if (isSubNode(node, subject)) return false;
  return !node.trigger && subject.to(node).every(({ kind }) => kind !== 'main');
}

function isSubNode(node: NodeView, subject: Subject): boolean {
  return subject.from(node).some(({ kind }) => kind !== 'main');
}
