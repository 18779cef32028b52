import { shownTexts } from '../../expressions/texts.ts';
import type { Rule } from '../../rule.ts';

/** Every row goes, or changes: hardly ever that is meant. */
export const sqlWithoutWhere: Rule = {
  id: 'sql-without-where',
  group: 'lint',
  title: 'A query that deletes or updates says which rows.',
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
          message: `This ${word} has no WHERE and goes over every row of the table. Add a WHERE, or "WHERE true" if that is meant.`,
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
    // What an expression adds cannot be seen here.
    if (word === undefined || /\bWHERE\b|\{\{|\b(?:USING|LIMIT|FROM\s+\w+\s+FROM)\b/i.test(statement)) continue;
    return word.toUpperCase().startsWith('DELETE') ? 'DELETE' : 'UPDATE';
  }
  return undefined;
}
