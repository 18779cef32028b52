import type { Rule } from '../../rule.ts';
import { isOutline } from '../../structure/outline.ts';

const names = new Set(['description', 'toolDescription']);

/** A model knows a tool only by its description. If n8n requires one, required-parameter reports it. */
export const toolWithoutDescription: Rule = {
  id: 'tool-without-description',
  group: 'lint',
  title: 'Every tool of an agent has a description.',
  severity: { save: 'info', run: 'warning', publish: 'warning' },
  check(subject, report) {
    if (isOutline(subject)) return;
    for (const node of subject.nodes) {
      if (node.disabled || !subject.from(node).some(({ kind }) => kind === 'ai_tool')) continue;
      const field = node
        .fields()
        .find(({ property, path }) => path.length === 1 && names.has(property.name) && property.type === 'string');
      if (!field || field.property.required || typeof field.value !== 'string' || field.value.trim() !== '') continue;
      report({
        node: node.name,
        path: field.pointer,
        message: `"${node.name}" has no description, and a model chooses its tools by description. Say in "${field.property.name}" what it does and when to use it.`,
      });
    }
  },
};
