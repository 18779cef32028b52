import { shownTexts, isSelfFilling, type Place } from '../../expressions/texts.ts';
import type { Rule } from '../../rule.ts';

/** A reference to n8n data and nothing else: `$json.name`, `$('Node').item.json.id`, `$node["Node"].json`, bare or in single braces. */
const bare =
  /^=?\s*(?<brace>\{)?\s*(?:\$json|\$binary|\$node|\$input|\$vars|\$\(\s*(?:"[^"]*"|'[^']*')\s*\))(?:\??\.\w+(?:\(\))?|\[(?:\d+|"[^"]*"|'[^']*')\])+\s*(?<end>\})?\s*$/;

const LONGEST = 500;

/** Without braces n8n passes the text on as it is. */
export const expressionWithoutBraces: Rule = {
  id: 'expression-without-braces',
  group: 'expressions',
  title: 'An expression is between {{ and }}.',
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
          message: `n8n passes this on as plain text: an expression needs "=" in front and {{ }} around it. Write "={{ ${inside} }}".`,
          fix: {
            description: 'Make it an expression.',
            safe: false,
            changes: 'n8n inserts the result of the expression instead of passing the text on.',
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
  // In code, or in a field without expressions, the text may be meant literally.
  if (!property || property.noDataExpression || property.typeOptions?.['editor'] !== undefined) return false;
  return !isSelfFilling(property) && property.type !== 'notice' && !/\/(cachedResult(Name|Url)|id)$/.test(pointer);
}
