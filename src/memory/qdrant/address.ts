import { AppError } from '../../kernel/errors.ts';

export interface Address {
  readonly origin: string;
  readonly port: number;
  readonly path: string;
  /** For messages. */
  readonly place: string;
}

const QDRANT_PORT = 6333;

/**
 * Where Qdrant is. Like its own clients, a URL without a port means 6333, also with https. The client itself takes an
 * explicit 80 or 443 for no port, and drops the path.
 */
export function addressOf(url: string): Address {
  const parsed = URL.parse(url);
  if (parsed?.protocol !== 'http:' && parsed?.protocol !== 'https:')
    throw new AppError(
      'invalid_input',
      'memory.qdrant.url is not the URL of a Qdrant. Write one like http://127.0.0.1:6333.',
    );
  if (parsed.username !== '' || parsed.password !== '' || parsed.search !== '' || parsed.hash !== '')
    throw new AppError(
      'invalid_input',
      'memory.qdrant.url holds more than protocol, host, port and path. Write the API key as memory.qdrant.apiKey.',
    );
  const stated = /^https?:\/\/[^/]*:(\d+)(?:\/|$)/i.exec(url)?.[1];
  const port = stated === undefined ? QDRANT_PORT : Number(stated);
  const path = parsed.pathname.replace(/\/+$/, '');
  return {
    origin: `${parsed.protocol}//${parsed.hostname}`,
    port,
    path,
    place: `${parsed.protocol}//${parsed.hostname}:${port}${path}`,
  };
}
