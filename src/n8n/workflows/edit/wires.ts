import type { Connections } from '../../client/shapes.ts';
import { type Link, linksOf } from '../../diff/links.ts';

/** Which wires are meant; what is left open may be anything. */
export type LinkPattern = Pick<Link, 'from' | 'to'> & Partial<Pick<Link, 'kind' | 'output' | 'input'>>;

export function connected(connections: Connections, link: Link): Connections {
  return linksOf(connections).some((known) => isSameLink(known, link))
    ? connections
    : wired([...linksOf(connections), link]);
}

/** Without the wires that fit, and how many those were. */
export function disconnected(
  connections: Connections,
  pattern: LinkPattern,
): { connections: Connections; cut: number } {
  const links = linksOf(connections);
  const kept = links.filter((link) => !fits(link, pattern));
  return { connections: wired(kept), cut: links.length - kept.length };
}

export function withoutNode(connections: Connections, name: string): Connections {
  return wired(linksOf(connections).filter(({ from, to }) => from !== name && to !== name));
}

/** What led to a node leads to what followed it, as far as both were main connections. */
export function bridged(connections: Connections, name: string): Connections {
  const links = linksOf(connections).filter(({ kind }) => kind === 'main');
  const before = links.filter(({ from, to }) => to === name && from !== name);
  const after = links.filter(({ from, to }) => from === name && to !== name);
  return before
    .flatMap(({ from, output }) => after.map(({ to, input }) => ({ from, to, kind: 'main', output, input })))
    .reduce(connected, withoutNode(connections, name));
}

export function renamedNode(connections: Connections, old: string, name: string): Connections {
  const now = (given: string) => (given === old ? name : given);
  return wired(linksOf(connections).map((link) => ({ ...link, from: now(link.from), to: now(link.to) })));
}

const isSameLink = (a: Link, b: Link): boolean => fits(a, b) && (a.inputKind ?? a.kind) === (b.inputKind ?? b.kind);

function fits(link: Link, { from, to, kind, output, input }: LinkPattern): boolean {
  return (
    link.from === from &&
    link.to === to &&
    (kind === undefined || link.kind === kind) &&
    (output === undefined || link.output === output) &&
    (input === undefined || link.input === input)
  );
}

/** n8n's own form of a list of wires. */
function wired(links: readonly Link[]): Connections {
  const outputs = Map.groupBy(links, ({ from }) => from);
  return Object.fromEntries(
    [...outputs].map(([from, own]) => [
      from,
      Object.fromEntries([...Map.groupBy(own, ({ kind }) => kind)].map(([kind, some]) => [kind, byOutput(some)])),
    ]),
  );
}

function byOutput(links: readonly Link[]) {
  const highest = Math.max(...links.map(({ output }) => output));
  return Array.from({ length: highest + 1 }, (_, output) =>
    links
      .filter((link) => link.output === output)
      .map(({ to, kind, input, inputKind }) => ({ node: to, type: inputKind ?? kind, index: input })),
  );
}
