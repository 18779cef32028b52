import { AppError } from '../../kernel/errors.ts';
import { type PostgresAddress, readAddress } from '../postgres/address.ts';

// In one module, so that commands load PostgreSQL's code only if the store is one.
export { placeOf } from '../postgres/address.ts';
export { openDatabase } from '../postgres/connection.ts';
export { copyStore } from '../postgres/copy.ts';
export { lookAtPostgres } from '../postgres/look.ts';

export function addressOf(url: string): PostgresAddress {
  const address = readAddress(url);
  if ('problem' in address)
    throw new AppError('invalid_input', `The URL of the store ${address.problem}. ${address.fix}`);
  return address;
}
