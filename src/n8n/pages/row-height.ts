const narrow = matchMedia('(max-width: 48rem)');

/** On a phone a row has two lines. */
export const rowHeight = (): number => (narrow.matches ? 74 : 46);
