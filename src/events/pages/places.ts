import { linkTo } from '../../console/client/pages.ts';
import { type Event, textIn } from './event.ts';

export interface Place {
  readonly title: string;
  readonly name: string;
  readonly href: string;
  readonly scope: string;
}

/** Where one sees more about what an event names: its tool, its server, what its caller did. */
export function placesOf(event: Event): Place[] {
  const [tool, source, backend, principal] = ['tool', 'source', 'backend', 'principal'].map((name) =>
    textIn(event, name),
  );
  const isOurs = textIn(event, 'watched') === undefined;
  const server = isOurs ? (backend ?? (tool?.startsWith(`${source}__`) ? source : undefined)) : undefined;
  return [
    ...(isOurs && tool !== undefined && tool !== '(unknown)'
      ? [{ title: 'Tool', name: tool, href: linkTo('tools', [tool]), scope: 'tools:read' }]
      : []),
    ...(server === undefined
      ? []
      : [{ title: 'Server', name: server, href: linkTo('servers', [server]), scope: 'health:check' }]),
    ...(principal === undefined
      ? []
      : [{ title: 'Caller', name: principal, href: linkTo('activity', [], { principal }), scope: 'health:check' }]),
  ];
}
