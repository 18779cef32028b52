import { inShell } from '../../../console/client/in-shell.ts';

interface Call {
  readonly name: string;
  readonly args: object;
}

/** JSON leaves some control characters as they are, which a terminal would obey. */
const pasted = (value: object): string =>
  JSON.stringify(value).replace(/[\x7f-\x9f]/g, (sign) => `\\u00${sign.charCodeAt(0).toString(16)}`);

/** For a terminal on the gateway's machine. */
export function asCommand({ name, args }: Call): string {
  const text = pasted(args);
  return ['sluice', 'call', inShell(name), ...(text === '{}' ? [] : [inShell(text)])].join(' ');
}

/** For a script. The key is never the one of this page: the shell fills it in. */
export function asCurl({ name, args }: Call, address: string): string {
  return [
    `curl ${inShell(address)}`,
    `-H "Authorization: Bearer $SLUICE_KEY"`,
    `-H 'Content-Type: application/json'`,
    `-d ${inShell(pasted({ name, arguments: args }))}`,
  ].join(' \\\n  ');
}

/** What an MCP client sends. */
export const asMessage = ({ name, args }: Call): string =>
  JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } }, null, 2);
