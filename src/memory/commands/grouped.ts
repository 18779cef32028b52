/** `1,200` */
export const grouped = (number: number): string => number.toLocaleString('en-US');
