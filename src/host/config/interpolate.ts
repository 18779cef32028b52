const REFERENCE = /\$(\$?)\{(?:(env|input):)?([A-Za-z_][\w.-]*)(?::-([^}]*))?\}/g;
const VARIABLE = /^[A-Za-z_]\w*$/;

interface MissingValue {
  path: readonly PropertyKey[];
  message: string;
  fix: string;
}

export interface Interpolated {
  value: unknown;
  /** Every value that a reference inserted. */
  used: string[];
  missing: MissingValue[];
}

/**
 * Replaces `${NAME}`, `${env:NAME}` and `${NAME:-default}` in every text of `tree`; `$${NAME}` becomes `${NAME}`.
 * Leaves everything else in braces alone: it may belong to a script.
 */
export function interpolate(tree: unknown, lookup: (name: string) => string | undefined): Interpolated {
  const used: string[] = [];
  const missing: MissingValue[] = [];

  function replace(text: string, path: readonly PropertyKey[]): string {
    return text.replace(
      REFERENCE,
      (whole, escape: string, scheme: string | undefined, name: string, fallback?: string) => {
        if (escape) return whole.slice(1);
        if (scheme === 'input') {
          missing.push(askedFor(path, name));
          return '';
        }
        if (!VARIABLE.test(name)) return whole;
        const found = lookup(name);
        if (found) {
          used.push(found);
          return found;
        }
        if (fallback === undefined) missing.push(notSet(path, name, found === ''));
        return fallback ?? '';
      },
    );
  }

  function walk(value: unknown, path: readonly PropertyKey[]): unknown {
    if (typeof value === 'string') return replace(value, path);
    if (Array.isArray(value)) return value.map((item, index) => walk(item, [...path, index]));
    if (value === null || typeof value !== 'object') return value;
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, walk(inner, [...path, key])]));
  }

  return { value: walk(tree, []), used, missing };
}

function notSet(path: readonly PropertyKey[], name: string, empty: boolean): MissingValue {
  return {
    path,
    message: `missing secret: ${name} is ${empty ? 'empty' : 'not set'}`,
    fix: `Set ${name} in the environment or in a .env beside the file. If it may be empty, write \${${name}:-}.`,
  };
}

function askedFor(path: readonly PropertyKey[], id: string): MissingValue {
  const name = variableFor(id);
  return {
    path,
    message: `missing secret: \${input:${id}} works only in VS Code`,
    fix: `Write \${${name}} instead, and set ${name} in the environment or in a .env beside the file.`,
  };
}

/** The variable that replaces a VS Code input. */
export function variableFor(inputId: string): string {
  const name = inputId.replace(/\W/g, '_').toUpperCase();
  return /^\d/.test(name) ? `_${name}` : name;
}
