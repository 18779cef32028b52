import type { Property } from '../../../nodes/description.ts';
import { parseExpression } from '../../expressions/javascript.ts';
import { piecesOf } from '../../expressions/pieces.ts';
import { isSelfFilling, type Place, shownTexts } from '../../expressions/texts.ts';
import type { Rule } from '../../rule.ts';
import type { NodeView } from '../../subject/subject.ts';

/** Only n8n's own variables: other systems also write {{ name }}. */
const n8nVariable =
  /\$(?:json|node|input|binary|now|today|workflow|execution|items?|vars|env|fromAI|itemIndex|runIndex|prevNode|parameter)\b|\$\(\s*["'`]/;

const LONGEST = 100_000;

/** Without the "=" n8n passes the braces on as text. */
export const expressionMissingEquals: Rule = {
  id: 'expression-missing-equals',
  group: 'expressions',
  title: 'Text with expressions starts with "=".',
  severity: { save: 'warning', run: 'error', publish: 'error' },
  check(subject, report) {
    for (const node of subject.nodes) {
      if (node.disabled || node.sticky || !node.description) continue;
      for (const place of shownTexts(node)) {
        if (!isMeant(place, node)) continue;
        report({
          node: node.name,
          path: place.pointer,
          // n8n passes the braces on as text: wrong, but it runs.
          ...(!isNothingElse(place.value) && { severity: 'warning' as const }),
          message:
            'This text contains an n8n expression but does not start with "=", so n8n passes the braces on as text. Put "=" in front.',
          fix: {
            description: 'Put "=" in front.',
            safe: false,
            changes: 'n8n inserts the result of the expression instead of passing the braces on.',
            patch: [{ op: 'replace', path: place.pointer, value: `=${place.value}` }],
          },
        });
      }
    }
  },
};

/** One expression and no other text, or a URL with one in it: with braces in it the value is useless. */
function isNothingElse(text: string): boolean {
  const [first, ...more] = piecesOf(text);
  if (first && more.length === 0 && /^\s*\{\{$/.test(text.slice(0, first.start)) && text.trimEnd().endsWith('}}'))
    return true;
  return /^https?:\/\/\S*\{\{/.test(text);
}

function isMeant({ value, field, pointer }: Place, { type }: NodeView): boolean {
  if (value.startsWith('=') || value.length > LONGEST || !value.includes('{{')) return false;
  const property = field?.property;
  if (
    !property ||
    (property.noDataExpression && field.pointer === pointer) ||
    isOtherwiseRead(property, type) ||
    isForTheEditor(pointer)
  )
    return false;
  const pieces = piecesOf(value).filter(
    ({ code, closed, start }) => closed && n8nVariable.test(code) && !isQuoted(value.slice(0, start - 2)),
  );
  return pieces.some(({ code }) => parseExpression(code).problem === undefined);
}

/** Text that shows a workflow to a model contains `"={{ … }}"`, and text that explains n8n has it in backticks. */
function isQuoted(before: string): boolean {
  return /(?:(?:^|["'`\\\s])=|`)$/.test(before.slice(-3));
}

/** The node evaluates the expressions itself, or the text is code, or a note for people. */
function isOtherwiseRead(property: Property, type: string): boolean {
  if (isSelfFilling(property) || property.typeOptions?.['editor'] === 'jsEditor') return true;
  if (property.type === 'notice' || property.type === 'callout' || property.type === 'hidden') return true;
  return /\.(ldap|form|formTrigger)$/.test(type) && (property.type === 'json' || /html/i.test(property.name));
}

function isForTheEditor(pointer: string): boolean {
  return /\/(cachedResult(Name|Url)|schema\/.*|id)$/.test(pointer);
}
