import type { Row } from '../client/data-tables.ts';

const LEAST = 40;

/** A row whose long texts are cut, to so many characters in all. Adds the columns of these texts to `cut`. */
export function shortened(row: Row, cut: Set<string>, characters: number): Row {
  const longest = Math.max(LEAST, fair(row, characters));
  const entries = Object.entries(row).map(([column, value]): [string, unknown] => {
    if (typeof value !== 'string' || value.length <= longest) return [column, value];
    cut.add(column);
    return [column, `${value.slice(0, longest).toWellFormed()}… (${value.length} characters)`];
  });
  return Object.fromEntries(entries);
}

/** The length at which the texts of a row fit together: short ones leave their room to long ones. */
function fair(row: Row, characters: number): number {
  const lengths = Object.values(row)
    .map((value) => (typeof value === 'string' ? value.length : 10))
    .sort((a, b) => a - b);
  let left = characters;
  for (const [at, length] of lengths.entries()) {
    const share = Math.floor(left / (lengths.length - at));
    if (length > share) return share;
    left -= length;
  }
  return Number.POSITIVE_INFINITY;
}
