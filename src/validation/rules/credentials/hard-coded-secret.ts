import { placeIn } from '../../expressions/pieces.ts';
import { pointer } from '../../json/json-pointer.ts';
import { isRecord } from '../../json/record.ts';
import type { Rule } from '../../rule.ts';
import type { NodeView } from '../../subject/subject.ts';
import { labelOf, passwordName, secretName } from '../../credentials/secret-names.ts';
import { isPlaceholder, knownSecret, looksChosen, looksRandom } from '../../credentials/secret-patterns.ts';

/** Nobody types anything longer by hand. */
const LONGEST = 200_000;

/** `apiKey: "…"`, `const TOKEN = '…'`, `"password": "…"` */
const assigned =
  /(?<name>api[-_]?key|secret(?:[-_]?key)?|(?:access|auth|bearer|refresh|bot|api)[-_]?token|\btoken|password|passwd|authorization|private[-_]?key)["'`]?\s{0,20}[:=]\s{0,20}["'`](?:Bearer |Basic |Token )?(?<value>[^"'`\s]{16,512})["'`]/gi;

/** `password: "…"`, `const dbPassword = '…'` */
const assignedPassword =
  /(?:password|passwd)["'`]?\s{0,20}[:=]\s{0,20}(?<quote>["'`])(?<value>[^"'`\s]{8,128})\k<quote>/gi;

const inQuery =
  /[?&](?:api[-_]?key|key|access[-_]?token|token|secret|sig|signature|password|auth)=(?<value>[^&#\s"'{}]{16,512})/gi;
const userInfo = /\b[a-z][a-z0-9+.-]{0,20}:\/\/[^\s/:@"'{}]{1,200}:(?<value>[^\s/@"'{}]{3,200})@/gi;

/** Everyone who can read the workflow, its exports or its backups can read the secret. The message never repeats it. */
export const hardCodedSecret: Rule = {
  id: 'hard-coded-secret',
  group: 'credentials',
  title: 'No key, token or password is written into the workflow.',
  severity: 'warning',
  check(subject, report) {
    for (const node of subject.nodes) {
      const say = (at: string, what: string, where: string) =>
        report({
          node: node.name,
          path: at,
          message: `This looks like ${what}${where}. Everyone who sees the workflow can read it. Move it into a credential, and replace it if the workflow was shared.`,
        });
      visit(node.parameters, pointer(node.pointer, 'parameters'), '', node, say);
    }
  },
};

type Say = (at: string, what: string, where: string) => void;

function visit(value: unknown, at: string, name: string, node: NodeView, say: Say): void {
  if (typeof value === 'string') return inText(value, at, name, node, say);
  if (Array.isArray(value)) {
    value.forEach((one: unknown, index) => visit(one, `${at}/${index}`, name, node, say));
  } else if (isRecord(value)) {
    const label = labelOf(value);
    for (const key of Object.keys(value)) {
      visit(value[key], pointer(at, key), key === 'value' && label !== undefined ? label : key, node, say);
    }
  }
}

function inText(text: string, at: string, name: string, { sticky }: NodeView, say: Say): void {
  if (text.length < 12 || text.length > LONGEST) return;
  const known = knownSecret(text);
  if (known) return say(at, known.what, text.length > 200 ? ` (${placeIn(text, known.index)})` : '');
  // Notes talk about keys. A real one is there only by mistake, and then in a known format.
  if (sticky) return;
  if (!text.startsWith('=') && secretName.test(name)) {
    const bare = text.replace(/^(Bearer|Basic|Token|Bot)\s+/i, '').trim();
    if (looksRandom(bare) || (passwordName.test(name) && looksChosen(bare))) {
      return say(at, `a secret, in "${name}"`, '');
    }
  }
  if (text.includes('://')) {
    for (const { groups } of text.matchAll(userInfo)) {
      const password = groups?.['value'] ?? '';
      if (!isPlaceholder(password) && !/^(pass(word)?|pwd|secret|\$.*|token)$/i.test(password)) {
        return say(at, 'a password in a URL', '');
      }
    }
    for (const { groups } of text.matchAll(inQuery)) {
      if (looksRandom(groups?.['value'] ?? '')) return say(at, 'a key in a URL', '');
    }
  }
  for (const { groups, index } of text.matchAll(assignedPassword)) {
    if (looksChosen(groups?.['value'] ?? '')) return say(at, 'a password', ` (${placeIn(text, index)})`);
  }
  for (const { groups, index } of text.matchAll(assigned)) {
    if (looksRandom(groups?.['value'] ?? ''))
      return say(at, `a secret, "${groups?.['name']}"`, ` (${placeIn(text, index)})`);
  }
}
