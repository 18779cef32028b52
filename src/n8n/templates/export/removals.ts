import { shown } from '../../../kernel/nearest-names.ts';
import type { Found } from './clean-texts.ts';

const MOST_LINES = 60;
const MOST_NODES = 8;

/** What an export removed or replaced, for the owner to read. The lines never repeat what was removed. */
export interface Removed {
  line(text: string): void;
  found(what: Found, node: string | undefined, where: string, count: number, put: string): void;
  /** The name of this node holds something private, and is not replaced. */
  keptName(index: number): void;
  /** What was found in a workflow that is a parameter of this node. */
  within(node: string, where: string, other: Removed): void;
  credential(node: string): void;
  webhook(node: string): void;
  pins(nodes: readonly string[]): void;
  id(what: string, node: string | undefined, name: string | undefined): void;
  /** What was removed or replaced. */
  lines(): string[];
  /** What was left and may be private. */
  left(): string[];
}

export function removals(): Removed {
  const lines: string[] = [];
  const left: string[] = [];
  const credentials = new Set<string>();
  const webhooks = new Set<string>();
  const at = (node: string | undefined, where: string) =>
    node === undefined ? shown(where, 200) : `"${shown(node)}" ${shown(where, 200)}`;
  return {
    line: (text) => void lines.push(text),
    found(what, node, where, count, put) {
      if (what === 'mail') left.push(`E-mail address: ${at(node, where)}`);
      else if (what === 'random') left.push(`A long random text, maybe a key or an id: ${at(node, where)}`);
      else lines.push(`${count > 1 ? `${count} × ` : ''}${what}: ${at(node, where)}, now ${shown(put, 60)}`);
    },
    keptName: (index) =>
      void left.push(`Something private in the name of node ${index + 1}: rename the node, then export again`),
    within(node, where, other) {
      lines.push(...other.lines().map((line) => `${at(node, where)}: ${line}`));
      left.push(...other.left().map((line) => `${at(node, where)}: ${line}`));
    },
    credential: (node) => void credentials.add(node),
    webhook: (node) => void webhooks.add(node),
    pins: (nodes) => void lines.push(`Pinned data of ${listed(nodes)}`),
    id(what, node, name) {
      const now = name === undefined ? 'empty: nobody knows its name' : `by name: "${shown(name)}"`;
      lines.push(`Id of a ${what}: ${node === undefined ? 'settings' : `"${shown(node)}"`}, now ${now}`);
    },
    lines() {
      const grouped = [
        ...(credentials.size > 0 ? [`Credentials of ${listed([...credentials])}`] : []),
        ...(webhooks.size > 0 ? [`Webhook ids of ${listed([...webhooks])}`] : []),
      ];
      return capped([...lines, ...grouped]);
    },
    left: () => capped(left),
  };
}

function listed(names: readonly string[]): string {
  const more = names.length > MOST_NODES ? ` and ${names.length - MOST_NODES} more` : '';
  return `${names
    .slice(0, MOST_NODES)
    .map((name) => `"${shown(name, 60)}"`)
    .join(', ')}${more}`;
}

function capped(lines: readonly string[]): string[] {
  if (lines.length <= MOST_LINES) return [...lines];
  return [...lines.slice(0, MOST_LINES), `… and ${lines.length - MOST_LINES} more.`];
}
