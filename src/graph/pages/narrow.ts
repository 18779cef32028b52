/** Whether the page is as narrow as on a phone. */
export const isNarrow = (): boolean => matchMedia('(max-width: 48rem)').matches;
