import { type CelList, type CelValue, celList } from '@bufbuild/cel';
import { AppError } from '../../kernel/errors.ts';

const MOST_ITEMS = 1_000_000;

/** The array that a list made here begins. */
const arrays = new WeakMap<CelList, CelValue[]>();

/**
 * Joins two lists. `map` and `filter` join once for each item, and the library's own way nests as deep as there are items: it
 * is quadratic, and fails at some thousands. Here the result that grows shares one array.
 */
export function joined(first: CelList, second: CelList): CelList {
  if (first.size + second.size > MOST_ITEMS)
    throw new AppError('too_large', `The list has more than ${MOST_ITEMS} items.`);
  const kept = arrays.get(first);
  // Somebody else may have gone on from the same list.
  const array = kept?.length === first.size ? kept : [...first];
  for (const item of second) array.push(item);
  return beginning(array);
}

function beginning(array: CelValue[]): CelList {
  const size = array.length;
  const list = Object.defineProperties(celList(array), {
    size: { value: size },
    values: {
      *value() {
        for (let at = 0; at < size; at++) yield array[at];
      },
    },
  });
  arrays.set(list, array);
  return list;
}
