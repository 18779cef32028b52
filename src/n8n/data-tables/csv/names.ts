import { isReserved } from '../columns.ts';

/** n8n allows 63. Leaves room for what is added. */
const LONGEST = 60;

/** A column name for a heading of a CSV: `E-mail address` becomes `E_mail_address`, `2nd` becomes `c_2nd`, `id` becomes `id_`. */
export function columnName(heading: string): string {
  const plain = heading
    .slice(0, 1000)
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[^a-zA-Z0-9]+/g, '_')
    .replace(/^_|_$/g, '')
    .slice(0, LONGEST);
  if (plain === '') return 'column';
  const begun = /^[a-zA-Z]/.test(plain) ? plain : `c_${plain}`;
  return isReserved(begun) ? `${begun}_` : begun;
}
