import { shownTexts } from '../../expressions/texts.ts';
import type { Rule } from '../../rule.ts';

/** Deleting or changing every row is rarely intended. */
export const sqlWithoutWhere: Rule = {
  id: 'sql-without-where',
  group: 'lint',
  title: 'Every DELETE or UPDATE query has a WHERE.',
  severity: 'warning',
  check(subject, report) {
    for (const node of subject.nodes) {
      if (node.disabled || node.sticky || !node.description) continue;
      for (const { value, pointer, field } of shownTexts(node)) {
        if (field?.property.typeOptions?.['editor'] !== 'sqlEditor' || value.length > LONGEST) continue;
        const word = allRows(value);
        if (word === undefined) continue;
        report({
          node: node.name,
          path: pointer,
          message: `This ${word} has no WHERE and affects every row of the table. Add a WHERE, or "WHERE true" if you mean every row.`,
        });
      }
    }
  },
};

const LONGEST = 100_000;

function allRows(value: string): string | undefined {
  const query = value
    .replace(/^=/, '')
    .replace(/--[^\n]*/g, '')
    .replace(/\/\*[^*]*\*+(?:[^/*][^*]*\*+)*\//g, '')
    .replace(/'[^']*'/g, "''");
  for (const statement of query.split(';')) {
    const word = /^\s*(DELETE\s+FROM|UPDATE)\s+[\w".`[\]]+\s*(?:SET\b|$)/i.exec(statement)?.[1];
    // An expression may add the WHERE.
    if (word === undefined || /\bWHERE\b|\{\{|\b(?:USING|LIMIT|FROM\s+\w+\s+FROM)\b/i.test(statement)) continue;
    return word.toUpperCase().startsWith('DELETE') ? 'DELETE' : 'UPDATE';
  }
  return undefined;
}
