import { AppError } from '../../../kernel/errors.ts';
import { didYouMean, nearestNames, shown } from '../../../kernel/nearest-names.ts';
import type { N8nClient } from '../../client/client.ts';
import type { User } from '../../client/users.ts';

/** The user with this id or e-mail address. */
export function userIn(users: readonly User[], wanted: string): User {
  const folded = wanted.toLowerCase();
  const found = users.find(({ id, email }) => id === wanted || email.toLowerCase() === folded);
  if (found) return found;
  const near = nearestNames(
    wanted,
    users.map(({ email }) => email),
  );
  throw new AppError(
    'not_found',
    `No user ${shown(wanted)}. Nothing was changed. ${didYouMean(near, 'n8n_list_users shows them.')}`,
  );
}

export async function existingUser(client: N8nClient, wanted: string, signal: AbortSignal): Promise<User> {
  return userIn(await Array.fromAsync(client.users.all(signal)), wanted);
}

/** `Ada Lovelace`; undefined for somebody who has not signed up yet. */
export function nameOf({ firstName, lastName }: User): string | undefined {
  const name = [firstName, lastName].filter(Boolean).join(' ');
  return name === '' ? undefined : name;
}
