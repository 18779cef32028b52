import { shown } from '../../../kernel/nearest-names.ts';
import { pointer } from '../../json/json-pointer.ts';
import type { Rule } from '../../rule.ts';
import { needsOf, signsIn } from '../../credentials/needs.ts';

/** n8n finds a credential by its id. At saving it looks for the name, and takes the one that there is. */
export const credentialWithoutId: Rule = {
  id: 'credential-without-id',
  group: 'credentials',
  title: 'A credential is named with its id.',
  severity: { run: 'warning', publish: 'error' },
  fixesSafely: true,
  check(subject, report) {
    for (const node of subject.nodes) {
      if (!signsIn(node)) continue;
      const needs = needsOf(node);
      const required = new Set(needs?.required.map(({ type }) => type));
      for (const { type, id, name } of needs?.given ?? []) {
        if (id !== undefined || !required.has(type)) continue;
        const namesakes = (subject.world?.credentials ?? []).filter((one) => one.type === type && one.name === name);
        const [only] = namesakes;
        const path = pointer(node.pointer, 'credentials', type);
        report({
          node: node.name,
          path,
          message: `The credential ${name === undefined ? `of the type ${type}` : `"${shown(name)}"`} has no id, and n8n finds it by that. ${
            only && namesakes.length === 1
              ? `On this instance it is ${only.id}.`
              : 'Choose it in n8n, or add the "id" that n8n_list_credentials shows.'
          }`,
          ...(only &&
            namesakes.length === 1 && {
              fix: {
                description: `Add the id ${only.id}`,
                safe: true,
                patch: [{ op: 'replace' as const, path, value: { id: only.id, name: only.name } }],
              },
            }),
        });
      }
    }
  },
};
