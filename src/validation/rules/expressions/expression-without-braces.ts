import { shownTexts, isSelfFilling, type Place } from '../../expressions/texts.ts';
import type { Rule } from '../../rule.ts';

/** Data of n8n and nothing else: `$json.name`, `$('Node').item.json.id`, `$node["Node"].json`, alone or in single braces. */
const bare =
  /^=?\s*(?<brace>\{)?\s*(?:\$json|\$binary|\$node|\$input|\$vars|\$\(\s*(?:"[^"]*"|'[^']*')\s*\))(?:\??\.\w+(?:\(\))?|\[(?:\d+|"[^"]*"|'[^']*')\])+\s*(?<end>\})?\s*$/;

const LONGEST = 500;

/** Without braces n8n passes the words on as they are. */
export const expressionWithoutBraces: Rule = {
  id: 'expression-without-braces',
  group: 'expressions',
  title: 'An expression stands between {{ and }}.',
  severity: { save: 'warning', run: 'error', publish: 'error' },
  check(subject, report) {
    for (const node of subject.nodes) {
      if (node.disabled || node.sticky || !node.description) continue;
      for (const place of shownTexts(node)) {
        if (!isMeant(place)) continue;
        const inside = place.value.replace(/^=/, '').trim().replace(/^\{/, '').replace(/\}$/, '').trim();
        report({
          node: node.name,
          path: place.pointer,
          message: `n8n passes this on as the words that they are: an expression begins with "=" and stands between {{ and }}. Write "={{ ${inside} }}".`,
          fix: {
            description: 'Make it an expression',
            safe: false,
            changes: 'n8n puts in what the expression gives; now it passes the words on.',
            patch: [{ op: 'replace', path: place.pointer, value: `={{ ${inside} }}` }],
          },
        });
      }
    }
  },
};

function isMeant({ value, field, pointer }: Place): boolean {
  if (value.length > LONGEST || !value.includes('$')) return false;
  const found = bare.exec(value)?.groups;
  if (!found || (found['brace'] === undefined) !== (found['end'] === undefined)) return false;
  const property = field?.property;
  // Where it is code, or takes no expressions, it may well be what it is.
  if (!property || property.noDataExpression || property.typeOptions?.['editor'] !== undefined) return false;
  return !isSelfFilling(property) && property.type !== 'notice' && !/\/(cachedResult(Name|Url)|id)$/.test(pointer);
}
