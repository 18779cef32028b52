import type { Duplex } from 'node:stream';
import { Client, type ClientConfig } from 'pg';
import { AppError } from '../../kernel/errors.ts';
import { longMessages } from './long-messages.ts';

const MOST_MB = 16;

/** Letters of the protocol, for those that can be long. */
const kinds = new Map([
  ['D', 'row'],
  ['E', 'error'],
  ['N', 'notice'],
]);

/**
 * A client that ends its connection when the server begins a message that is too long. The driver holds a message as a
 * whole and makes texts of it; one that is longer than a text may be would end the process.
 */
export class BoundedClient extends Client {
  constructor(config?: string | ClientConfig) {
    super(config);
    const { connection } = this;
    // Encrypted bytes have no messages yet.
    if (this.ssl) connection.once('sslconnect', () => bound(connection.stream));
    else bound(connection.stream);
  }
}

function bound(stream: Duplex): void {
  const find = longMessages(MOST_MB * 1024 * 1024);
  stream.on('data', (piece: Buffer) => {
    const found = find(piece);
    if (found) stream.destroy(tooLong(found));
  });
}

const tooLong = ({ letter, bytes }: { readonly letter: string; readonly bytes: number }): AppError =>
  new AppError(
    'too_large',
    `PostgreSQL began to send one ${kinds.get(letter) ?? 'message'} of ${Math.ceil(bytes / 1024 / 1024)} MB, and ${MOST_MB} MB are the limit. The connection was closed, which rolls its transaction back. Ask for less: cut long values with left(value, 1000), and name fewer columns.`,
  );
