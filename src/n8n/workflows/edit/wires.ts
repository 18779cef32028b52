import { connectionsOf, type Link, linksOf } from '../../../nodes/links.ts';
import type { Connections } from '../../client/shapes.ts';

/** Selects connections. An absent field matches anything. */
export type LinkPattern = Pick<Link, 'from' | 'to'> & Partial<Pick<Link, 'kind' | 'output' | 'input'>>;

export function connected(connections: Connections, link: Link): Connections {
  return linksOf(connections).some((known) => isSameLink(known, link))
    ? connections
    : connectionsOf([...linksOf(connections), link]);
}

/** Removes the connections that match, and counts them. */
export function disconnected(
  connections: Connections,
  pattern: LinkPattern,
): { connections: Connections; cut: number } {
  const links = linksOf(connections);
  const kept = links.filter((link) => !fits(link, pattern));
  return { connections: connectionsOf(kept), cut: links.length - kept.length };
}

export function withoutNode(connections: Connections, name: string): Connections {
  return connectionsOf(linksOf(connections).filter(({ from, to }) => from !== name && to !== name));
}

/** Removes a node and connects its predecessors to its successors, main connections only. */
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
  return connectionsOf(linksOf(connections).map((link) => ({ ...link, from: now(link.from), to: now(link.to) })));
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
