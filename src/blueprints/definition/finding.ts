/** Something about a definition, and how to fix it. */
export interface Finding {
  readonly severity: 'error' | 'warning';
  /** Where in the definition, as it is written: `steps.0.arguments.sql`. */
  readonly path: string;
  readonly line?: number;
  readonly column?: number;
  readonly message: string;
  readonly fix: string;
}

export interface Position {
  readonly line: number;
  readonly column: number;
}

export type Path = readonly (string | number)[];

/** Names that would be read as several are in quotes: `inputs."a.b"`. */
export function pathText(path: Path): string {
  return path
    .map((part) => (typeof part === 'number' || /^[^."\s]+$/.test(part) ? String(part) : JSON.stringify(part)))
    .join('.');
}

export function pathIn(text: string): string[] {
  return [...text.matchAll(/"(?:[^"\\]|\\.)*"|[^."]+/g)].map(([part]) =>
    part.startsWith('"') ? String(JSON.parse(part)) : part,
  );
}

export const isError = ({ severity }: Finding): boolean => severity === 'error';

/** `line 4, column 3, steps.0.tool: is missing. Add it: a text.` */
export function findingLine({ path, line, column, message, fix }: Finding): string {
  const place = line === undefined ? [] : [`line ${line}`, ...(column === undefined ? [] : [`column ${column}`])];
  const where = [...place, ...(path === '' ? [] : [path])].join(', ');
  return `${where}${where === '' ? '' : ': '}${message}. ${fix}`;
}
