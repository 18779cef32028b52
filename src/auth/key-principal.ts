import type { Principal } from '../kernel/principal.ts';
import type { StoredKey } from '../store/store.ts';

/** Who presents this key, and what it allows. */
export function keyPrincipal({ id, grant }: Pick<StoredKey, 'id' | 'grant'>): Principal {
  const { name, scopes, tools, readOnly, confirm, rate } = grant;
  return {
    id: `key:${id}`,
    name,
    scopes: new Set(scopes),
    ...(tools && { tools }),
    ...(readOnly && { readOnly }),
    ...(confirm && { confirm }),
    ...(rate !== undefined && { rate }),
  };
}
