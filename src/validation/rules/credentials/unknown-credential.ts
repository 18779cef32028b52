import { nearestNames, shown } from '../../../kernel/nearest-names.ts';
import type { LikelyFix } from '../../finding.ts';
import { pointer } from '../../json/json-pointer.ts';
import type { Rule } from '../../rule.ts';
import { type Given, givenOf, needsOf, signsIn } from '../../credentials/needs.ts';

type Known = { readonly id: string; readonly name: string; readonly type: string };

/** Checked only if the credentials of the instance are known. */
export const unknownCredential: Rule = {
  id: 'unknown-credential',
  group: 'credentials',
  title: 'Every credential exists on the instance.',
  severity: { save: 'warning', run: 'error', publish: 'error' },
  check(subject, report) {
    const known = subject.world?.credentials;
    if (!known) return;
    const ids = new Set(known.map(({ id }) => id));
    for (const node of subject.nodes) {
      if (!signsIn(node)) continue;
      const required = needsOf(node)?.required.map(({ type }) => type);
      for (const given of givenOf(node.raw)) {
        if (given.id === undefined || ids.has(given.id)) continue;
        const same = known.filter(({ type }) => type === given.type);
        const path = pointer(node.pointer, 'credentials', given.type);
        const fix = fixOf(given, same, path);
        report({
          node: node.name,
          path,
          message: `This instance has no credential with the id "${shown(given.id)}". ${advice(given, same)}`,
          // n8n does not look up credentials that the configuration does not use.
          ...(required && !required.includes(given.type) && { severity: 'warning' as const }),
          ...(fix && { fix }),
        });
      }
    }
  },
};

function advice({ name, type }: Given, same: readonly Known[]): string {
  if (same.length === 0) return `It has none of type ${shown(type)}: create one with n8n_create_credential.`;
  const names = same.map((one) => one.name);
  const near = name === undefined ? [] : nearestNames(name, names, 3);
  const listed = (near.length > 0 ? near : names.slice(0, 3)).map((one) => {
    const { id } = same.find((other) => other.name === one) as Known;
    return `"${shown(one)}" (${id})`;
  });
  return `Of type ${type} it has ${listed.join(', ')}.`;
}

function fixOf({ name }: Given, same: readonly Known[], path: string): LikelyFix | undefined {
  const namesakes = same.filter((one) => one.name === name);
  const [only] = namesakes;
  if (!only || namesakes.length !== 1) return undefined;
  return {
    description: `Use the credential "${only.name}" of this instance.`,
    safe: false,
    changes: `The node signs in with "${only.name}" (${only.id}). Now it cannot sign in.`,
    patch: [{ op: 'replace', path, value: { id: only.id, name: only.name } }],
  };
}
