/** A name as SQL. Everything inside the quotes is the name. */
export const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;

/** A text as SQL, for statements that take no parameters. */
export function literal(text: string): string {
  const inside = text.replaceAll("'", "''");
  return inside.includes('\\') ? `E'${inside.replaceAll('\\', '\\\\')}'` : `'${inside}'`;
}

/** Collects the values of a statement, and gives the place of each in it. */
export interface Values {
  readonly list: unknown[];
  /** `$1` for the first. */
  add(value: unknown): string;
}

export function values(): Values {
  const list: unknown[] = [];
  return { list, add: (value) => `$${list.push(value)}` };
}
