import type { OAuthRecord } from './store.ts';

export interface OAuthRow {
  payload: string;
  expires: number | null;
  consumed: number | null;
}

export function recordOf(row: OAuthRow | undefined): OAuthRecord | undefined {
  if (!row) return undefined;
  return {
    payload: row.payload,
    ...(row.expires !== null && { expires: row.expires }),
    ...(row.consumed !== null && { consumed: row.consumed }),
  };
}

export const listedOf = (row: OAuthRow & { id: string }): OAuthRecord & { id: string } => ({
  ...(recordOf(row) as OAuthRecord),
  id: row.id,
});
