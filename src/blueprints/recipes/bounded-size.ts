/**
 * About how many characters of JSON a value is, or more than `most` as soon as it is more. Stops there, so that a large
 * value costs no more than the limit. A list of what is left instead of recursion: callers choose the depth.
 */
export function boundedSize(value: unknown, most: number): number {
  let size = 0;
  const left: unknown[] = [value];
  while (left.length > 0 && size <= most) {
    const one = left.pop();
    if (typeof one === 'string') size += one.length + 2;
    else if (typeof one !== 'object' || one === null) size += 8;
    else if (Array.isArray(one)) {
      size += one.length + 2;
      if (size <= most) for (const item of one) left.push(item);
    } else {
      size += 2;
      for (const key in one) {
        if (!Object.hasOwn(one, key)) continue;
        size += key.length + 4;
        if (size > most) break;
        left.push((one as Record<string, unknown>)[key]);
      }
    }
  }
  return size;
}
