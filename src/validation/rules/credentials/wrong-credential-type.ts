import { nearestNames, shown } from '../../../kernel/nearest-names.ts';
import { pointer } from '../../json/json-pointer.ts';
import type { Rule } from '../../rule.ts';
import { missing, needsOf, signsIn, wrongOnes } from '../../credentials/needs.ts';

/** n8n looks for the type that the node asks for and ignores any other. */
export const wrongCredentialType: Rule = {
  id: 'wrong-credential-type',
  group: 'credentials',
  title: 'A credential is of a type that the node takes as it is configured.',
  severity: { save: 'warning', run: 'error', publish: 'error' },
  check(subject, report) {
    const worldTypes = new Map((subject.world?.credentials ?? []).map(({ id, type }) => [id, type]));
    for (const node of subject.nodes) {
      if (!signsIn(node)) continue;
      const needs = needsOf(node);
      if (!needs || needs.given.length === 0) continue;
      for (const { type } of wrongOnes(needs, node.raw)) {
        const wanted = missing(needs, node.raw).map((need) => need.type);
        const [near] = subject.catalogue.credentialType(type) ? [] : nearestNames(type, needs.taken, 1);
        const isOther = needs.taken.has(type);
        report({
          node: node.name,
          path: pointer(node.pointer, 'credentials', type),
          message: isOther
            ? `As this node is configured it signs in with ${wanted.join(' or ')}, and it has been given ${shown(type)}. Change its authentication to fit, or give it that credential.`
            : `This node does not take credentials of the type "${shown(type)}". ${
                near === undefined ? `Give it one of the type ${wanted.join(' or ')}.` : `Did you mean "${near}"?`
              }`,
        });
      }
      for (const { type, id } of needs.given) {
        const actual = id === undefined ? undefined : worldTypes.get(id);
        if (actual === undefined || actual === type) continue;
        report({
          node: node.name,
          path: pointer(node.pointer, 'credentials', type),
          message: `The credential with this id is of the type ${actual} on the instance, not ${shown(type)}. Choose one of the type ${shown(type)}.`,
        });
      }
    }
  },
};
