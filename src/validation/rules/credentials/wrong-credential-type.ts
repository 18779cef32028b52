import { didYouMean, inQuotes, nearestNames, shown } from '../../../kernel/nearest-names.ts';
import { pointer } from '../../json/json-pointer.ts';
import type { Rule } from '../../rule.ts';
import { missing, needsOf, signsIn, wrongOnes } from '../../credentials/needs.ts';

/** n8n uses the credential type that the node asks for and ignores any other. */
export const wrongCredentialType: Rule = {
  id: 'wrong-credential-type',
  group: 'credentials',
  title: 'Every credential has a type that the node accepts in its configuration.',
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
            ? `With its current settings this node signs in with ${wanted.join(' or ')}, but its credential is ${shown(type)}. Change its authentication setting, or give it that credential.`
            : `This node does not accept credentials of type "${shown(type)}". ${didYouMean(inQuotes([near]), `Give it one of type ${wanted.join(' or ')}.`)}`,
        });
      }
      for (const { type, id } of needs.given) {
        const actual = id === undefined ? undefined : worldTypes.get(id);
        if (actual === undefined || actual === type) continue;
        report({
          node: node.name,
          path: pointer(node.pointer, 'credentials', type),
          message: `On the instance, the credential with this id has the type ${actual}, not ${shown(type)}. Choose one of type ${shown(type)}.`,
        });
      }
    }
  },
};
