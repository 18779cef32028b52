import type { Transport } from '../transport.ts';

/**
 * Where a server is. Arguments, queries and users may be secrets; a path may be one, too, so only who administers servers
 * sees it.
 */
export function runsWhere(transport: Transport, showsPath: boolean): string {
  if (transport.kind === 'stdio') {
    const { command, args } = transport;
    const many = args.length === 0 ? '' : ` with ${args.length} argument${args.length === 1 ? '' : 's'}`;
    return `Sluice starts the program ${showsPath ? command : lastPart(command)}${many}`;
  }
  const kind = transport.kind === 'sse' ? 'HTTP with SSE' : 'HTTP';
  const [first = '', ...others] = (transport.urls ?? [transport.url]).map((url) => addressIn(url, showsPath));
  const more = others.length === 0 ? '' : ` and ${others.length} more`;
  return `${kind}: ${first}${more}`;
}

function addressIn(address: string, showsPath: boolean): string {
  const { origin, pathname } = new URL(address);
  return showsPath ? `${origin}${pathname}` : origin;
}

const lastPart = (command: string): string => command.split(/[/\\]/).at(-1) ?? command;
