import { codeTexts } from '../../expressions/texts.ts';
import type { Rule } from '../../rule.ts';
import type { NodeView, Subject } from '../../subject/subject.ts';

/** Without a model to fill it in, it returns its default value or nothing. */
export const fromAiOutsideTool: Rule = {
  id: 'from-ai-outside-tool',
  group: 'expressions',
  title: '$fromAI() is used only in the tools of an agent.',
  severity: 'warning',
  check(subject, report) {
    for (const { node, pointer, language, scripts } of codeTexts(subject)) {
      if (language !== 'expression') continue;
      if (!scripts.some(({ names }) => names.free.some(({ name }) => /^\$fromai$/i.test(name)))) continue;
      if (isTool(node, subject)) continue;
      report({
        node: node.name,
        path: pointer,
        message:
          '$fromAI() works only in a node that is connected to an agent as a tool: here it returns no value. Connect the node as a tool, or read the value from the data with $json.',
      });
    }
  },
};

function isTool(node: NodeView, subject: Subject): boolean {
  return (
    node.summary?.toolOf !== undefined ||
    node.summary === undefined ||
    node.type.endsWith('Tool') ||
    subject.from(node).some(({ kind }) => kind === 'ai_tool')
  );
}
