import { shown } from '../../../kernel/nearest-names.ts';
import { pointer } from '../../json/json-pointer.ts';
import type { Rule } from '../../rule.ts';
import { needsOf, signsIn } from '../../credentials/needs.ts';

/** n8n finds a credential by its id. On save it looks up an id of null by name; without an id, it takes any of the type. */
export const credentialWithoutId: Rule = {
  id: 'credential-without-id',
  group: 'credentials',
  title: 'A credential is given with its id.',
  severity: { run: 'warning', publish: 'error' },
  fixesSafely: true,
  check(subject, report) {
    for (const node of subject.nodes) {
      if (!signsIn(node)) continue;
      const needs = needsOf(node);
      const required = new Set(needs?.required.map(({ type }) => type));
      for (const { type, id, name } of needs?.given ?? []) {
        if (id !== undefined || !required.has(type)) continue;
        const ofType = (subject.world?.credentials ?? []).filter((one) => one.type === type);
        const namesakes = ofType.filter((one) => one.name === name);
        const [only] = namesakes;
        const path = pointer(node.pointer, 'credentials', type);
        report({
          node: node.name,
          path,
          message: `The credential ${name === undefined ? `of type ${type}` : `"${shown(name)}"`} has no id, and n8n finds credentials by id. ${
            only && namesakes.length === 1
              ? `On this instance its id is ${only.id}.`
              : 'Choose it in n8n, or add its "id". n8n_list_credentials shows the ids.'
          }`,
          ...(only &&
            namesakes.length === 1 && {
              fix: {
                description: `Add the id ${only.id}.`,
                ...(ofType.length === 1
                  ? { safe: true }
                  : { safe: false, changes: `Without the id, n8n may use another credential of type ${type}.` }),
                patch: [{ op: 'replace' as const, path, value: { id: only.id, name: only.name } }],
              },
            }),
        });
      }
    }
  },
};
