import { fittingItems } from '../../kernel/reply-size.ts';
import type { Answer } from './connection.ts';
import { plainMap } from './plain-value.ts';
import { shortened } from './shortened.ts';

/** Rows as JSON, as many as fit into a reply. */
export function shownRows({ rows, fields, more }: Pick<Answer<object>, 'rows' | 'fields' | 'more'>) {
  const all = rows.map(plainMap);
  const fit = fittingItems(all, { fields });
  const shown = all.slice(0, fit);
  // The first row is shown in any case, if need be with its texts cut.
  const [first] = shown;
  const short = first && fittingItems([first, ''], { fields }) < 2 ? shortened(first) : first;
  const left = [
    ...(more || fit < all.length ? ['There are more rows: use SKIP and LIMIT.'] : []),
    ...(short === first ? [] : ['Long values are cut: return fewer or smaller properties.']),
  ];
  return {
    columns: [...fields],
    rows: short ? [short, ...shown.slice(1)] : [],
    ...(left.length > 0 && { truncated: left.join(' ') }),
  };
}
