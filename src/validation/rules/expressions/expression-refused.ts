import { placeIn } from '../../expressions/pieces.ts';
import { codeTexts } from '../../expressions/texts.ts';
import type { Rule } from '../../rule.ts';

/** n8n parses these, and then refuses them. */
export const expressionRefused: Rule = {
  id: 'expression-refused',
  group: 'expressions',
  title: 'An expression uses nothing that n8n forbids: constructor, $ without a call, import().',
  severity: { save: 'warning', run: 'error', publish: 'error' },
  check(subject, report) {
    for (const { node, pointer, text, language, scripts } of codeTexts(subject)) {
      if (language !== 'expression' || scripts.length === 0) continue;
      const base = { node: node.name, path: pointer };
      const forbidden = scripts.find(({ code }) => /\.\s*constructor/.test(code));
      if (forbidden) {
        const message =
          'n8n refuses expressions that contain ".constructor". Read the value in a Code node, or rename the field.';
        report({ ...base, message });
      }
      for (const { names, start, parsed } of scripts) {
        const bare = names.free.find(({ name, called }) => name === '$' && !called);
        if (!bare || !parsed.program) continue;
        const where = placeIn(text, start + bare.start - parsed.shift);
        report({
          ...base,
          message: `n8n refuses "$" without a call, at ${where}. Write $('Node name') for a node, or $json for the data.`,
        });
      }
    }
  },
};
