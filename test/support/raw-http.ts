import { connect } from 'node:net';

export interface Reply {
  /** The statuses of all answers on the connection, in order; empty if it was closed without an answer. */
  readonly statuses: number[];
  readonly text: string;
}

/** Writes exactly these bytes to the server, and reads until it closes the connection or has been silent for a while. */
export function raw(url: string, text: string | Buffer, silence = 3000): Promise<Reply> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve) => {
    const socket = connect(Number(port), hostname);
    let seen = '';
    const end = () => {
      socket.destroy();
      const statuses = [...seen.matchAll(/(?:^|\n|\}|\r\n)HTTP\/1\.1 (\d{3})/g)].map((match) => Number(match[1]));
      resolve({ statuses, text: seen });
    };
    socket.setTimeout(silence, end);
    socket.on('data', (chunk) => {
      seen += chunk.toString('latin1');
    });
    socket.on('close', end);
    socket.on('error', end);
    socket.write(text);
  });
}

export interface Asked {
  method?: string;
  path?: string;
  /** In this order and spelling; a name may occur twice. */
  headers?: readonly (readonly [string, string])[];
  body?: string;
  /** Replaces the correct Content-Length. */
  length?: string | false;
}

/** An HTTP request as bytes, as well-formed as its input. */
export function request(url: string, asked: Asked): string {
  const { method = 'POST', path = '/mcp', headers = [], body = '', length } = asked;
  const has = (name: string) => headers.some(([known]) => known.toLowerCase() === name);
  const lines = [
    `${method} ${path} HTTP/1.1`,
    ...(has('host') ? [] : [`Host: ${new URL(url).host}`]),
    'Connection: close',
    ...(body === '' || has('content-type') ? [] : ['Content-Type: application/json']),
    ...headers.map(([name, value]) => `${name}: ${value}`),
    ...(length === false || body === '' ? [] : [`Content-Length: ${length ?? Buffer.byteLength(body)}`]),
  ];
  return `${lines.join('\r\n')}\r\n\r\n${body}`;
}
