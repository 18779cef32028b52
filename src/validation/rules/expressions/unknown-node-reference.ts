import { didYouMean, inQuotes, nearestNames, shown } from '../../../kernel/nearest-names.ts';
import type { LikelyFix } from '../../finding.ts';
import type { Rule } from '../../rule.ts';
import type { Subject } from '../../subject/subject.ts';
import { grouped, type Mention, mentionsOf, whereIs } from '../../expressions/reference-places.ts';

/** The node fails with "Referenced node doesn't exist". */
export const unknownNodeReference: Rule = {
  id: 'unknown-node-reference',
  group: 'expressions',
  title: "Every node named in $('…') or $node['…'] is in the workflow.",
  severity: { save: 'warning', run: 'error', publish: 'error' },
  check(subject, report) {
    const missing = new Set<string>();
    // $('') means the previous node.
    const unknown = mentionsOf(subject).filter(({ name }) => name !== '' && !subject.byName(name));
    for (const mentions of grouped(unknown)) {
      const [first] = mentions;
      const { name, of } = first;
      missing.add(name);
      const meant = missing.size > MOST_COMPARED ? [] : nodesMeant(name, subject);
      const fix =
        meant.length === 1 && of.text.length <= LONGEST_FIXED ? fixOf(mentions, meant[0] as string) : undefined;
      report({
        node: of.node.name,
        path: of.pointer,
        message: `There is no node "${shown(name)}" in this workflow (${whereIs(first)}). ${didYouMean(
          inQuotes(meant.map((one) => shown(one))),
          'Use the exact name of an existing node; capitals and spaces matter.',
        )}`,
        ...(mentions.every(({ inTry }) => inTry) && { severity: 'warning' as const }),
        ...(fix && { fix }),
      });
    }
  },
};

/** A fix contains the whole text. */
const LONGEST_FIXED = 20_000;
/** Comparing names is slow. */
const MOST_COMPARED = 50;
const MOST_NODES = 2000;

const folded = (name: string): string => name.replace(/\s+/g, ' ').trim().toLowerCase();

function nodesMeant(name: string, { nodes }: Subject): string[] {
  const names = nodes.filter(({ sticky }) => !sticky).map((node) => node.name);
  const same = names.filter((one) => folded(one) === folded(name));
  return same.length > 0 ? same : nearestNames(name, names.slice(0, MOST_NODES), 3);
}

function fixOf(mentions: readonly [Mention, ...Mention[]], meant: string): LikelyFix {
  const [{ of, name }] = mentions;
  let { text } = of;
  // Start at the end, so that earlier offsets stay valid.
  for (const { start, end, quoted } of mentions.toSorted((a, b) => b.start - a.start)) {
    const before = text.slice(0, start);
    // `$node.Name` has to become `$node["Other name"]`.
    text = `${quoted ? before : `${before.replace(/\??\.$/, '')}[`}${JSON.stringify(meant)}${quoted ? '' : ']'}${text.slice(end)}`;
  }
  return {
    description: `Refer to "${shown(meant)}" instead of "${shown(name)}".`,
    safe: false,
    changes: `The expression reads "${shown(meant)}". Now it fails.`,
    patch: [{ op: 'replace', path: of.pointer, value: `${'='.repeat(of.lead)}${text}` }],
  };
}
