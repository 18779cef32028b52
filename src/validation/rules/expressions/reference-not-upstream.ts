import { shown } from '../../../kernel/nearest-names.ts';
import type { Rule } from '../../rule.ts';
import type { NodeView, Subject } from '../../subject/subject.ts';
import { reachOf } from '../../connections/reach.ts';
import { grouped, type Mention, mentionsOf, whereIs } from '../../expressions/reference-places.ts';

/** What asks for no data. */
const always = new Set(['isExecuted', 'params', 'parameter', 'context', 'runIndex']);
/** n8n goes back along the connections for it, and refuses where there is no way. */
const byConnection = new Set(['item', 'pairedItem', 'itemMatching']);

/** The node has not run by then, or n8n finds no way from its items to these. */
export const referenceNotUpstream: Rule = {
  id: 'reference-not-upstream',
  group: 'expressions',
  title: 'Data is taken from nodes that come before.',
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
      // That nothing leads here is the fault, and another rule names it: n8n never gets as far as this.
      const isDead = triggers.length > 0 && !reached.has(of.node);
      const certain =
        failsForSure(mention) && !isDead && !guarded.has(`${of.pointer} ${name}`) && !isSubNode(target, subject);
      report({
        node: of.node.name,
        path: of.pointer,
        message: isItself
          ? `This takes data from the node itself, which has none yet (${where}). Use $json for what comes in.`
          : `This takes data from "${shown(name)}" (${where}), ${
              later ? 'which comes after this node' : 'from which no connection leads to this node'
            }. ${
              certain
                ? 'n8n refuses that: connect it so that it comes before, or use data that passes through here.'
                : 'Unless it has run by then, n8n stops here: connect it before this node, or ask isExecuted first.'
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

/** Not connected at all: that is what there is to say of it. */
function isLoose(node: NodeView, subject: Subject): boolean {
  if (isSubNode(node, subject)) return false;
  return !node.trigger && subject.to(node).every(({ kind }) => kind !== 'main');
}

function isSubNode(node: NodeView, subject: Subject): boolean {
  return subject.from(node).some(({ kind }) => kind !== 'main');
}
