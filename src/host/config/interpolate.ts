import type { NameRead } from './scheme.ts';
import { isPlace } from './secrets.ts';

const VARIABLE = /^[A-Za-z_]\w*$/;

/** `${vault:path#key}`: the scheme `vault` and the name `path#key`. */
export interface Reference {
  readonly scheme: string;
  readonly name: string;
}

/** A reference, and the path of its text in the file. */
export interface Found {
  readonly reference: Reference;
  readonly path: readonly PropertyKey[];
}

/** References to values that are neither in the file nor in the environment. */
export interface ReferenceLookup {
  readonly schemes: readonly string[];
  find(reference: Reference, path: readonly PropertyKey[]): NameRead;
}

export interface MissingValue {
  path: readonly PropertyKey[];
  message: string;
  fix: string;
  /** What could not be read, if it is not a variable. */
  reference?: Reference;
}

export interface Interpolated {
  value: unknown;
  /** Every value that a reference inserted and that may be a secret. */
  used: string[];
  missing: MissingValue[];
}

/**
 * Replaces `${NAME}`, `${env:NAME}` and `${NAME:-default}` in every text of `tree`, and `${vault:path#key}` or `${file:path}`
 * if `vault` or `file` is one of the schemes; `$${NAME}` becomes `${NAME}`. Leaves everything else in braces alone: it may belong to a script.
 */
export function interpolate(
  tree: unknown,
  lookup: (name: string) => string | undefined,
  references?: ReferenceLookup,
): Interpolated {
  const used: string[] = [];
  const missing: MissingValue[] = [];
  const pattern = patternFor(references?.schemes ?? []);

  function replace(text: string, path: readonly PropertyKey[]): string {
    return text.replace(
      pattern,
      (
        whole,
        escape: string,
        scheme: string | undefined,
        body: string,
        kind: string | undefined,
        name: string,
        fallback?: string,
      ) => {
        if (references && scheme !== undefined) {
          const named = nameIn(scheme, body);
          if (!named) return whole;
          if (escape) return whole.slice(1);
          return refer(references, { scheme, name: named.name }, path, named.fallback);
        }
        if (escape) return whole.slice(1);
        if (kind === 'input') {
          missing.push(askedFor(path, name));
          return '';
        }
        if (!VARIABLE.test(name)) return whole;
        const found = lookup(name);
        if (found) {
          if (!isPlace(name, found)) used.push(found);
          return found;
        }
        if (fallback === undefined) missing.push(notSet(path, name, found === ''));
        return fallback ?? '';
      },
    );
  }

  function refer(
    { find }: ReferenceLookup,
    reference: Reference,
    path: readonly PropertyKey[],
    fallback: string | undefined,
  ): string {
    const found = find(reference, path);
    if ('value' in found && found.value !== '') {
      used.push(found.value);
      return found.value;
    }
    // A default is no stand-in for a value that exists, but cannot be read now.
    if (fallback !== undefined && ('value' in found || found.absent)) return fallback;
    missing.push({ path, reference, ...('value' in found ? isEmpty(reference) : problemOf(found)) });
    return '';
  }

  function walk(value: unknown, path: readonly PropertyKey[]): unknown {
    if (typeof value === 'string') return replace(value, path);
    if (Array.isArray(value)) return value.map((item, index) => walk(item, [...path, index]));
    if (value === null || typeof value !== 'object') return value;
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, walk(inner, [...path, key])]));
  }

  return { value: walk(tree, []), used, missing };
}

export function referencesIn(tree: unknown, schemes: readonly string[]): Found[] {
  if (schemes.length === 0) return [];
  const found: Found[] = [];
  interpolate(tree, () => undefined, {
    schemes,
    find(reference, path) {
      found.push({ reference, path });
      return { value: '' };
    },
  });
  return found;
}

function patternFor(schemes: readonly string[]): RegExp {
  // Without schemes, groups that never match keep the numbers of the others. `${vault:-x}` is a variable.
  const scheme = schemes.length === 0 ? '(?!)()()' : String.raw`(${schemes.join('|')}):(?!-)([^}]*)`;
  const variable = String.raw`(?:(env|input):)?([A-Za-z_][\w.-]*)(?::-([^}]*))?`;
  return new RegExp(String.raw`\$(\$?)\{(?:${scheme}|${variable})\}`, 'g');
}

const PATH_AND_KEY = /^[^\s#]+(?:#[^\n]+)?$/;
/** In a shell, `${file:2}` is the rest of a variable. A file may be called so: `./2`. */
const PATH = /^(?! *-?\d+(?: *:|$))[^\n]*\S[^\n]*$/;

/** `path#key:-default`, or `path:-default` for a file; undefined if it is something else. */
function nameIn(scheme: string, body: string): { name: string; fallback: string | undefined } | undefined {
  const end = body.indexOf(':-');
  const name = end === -1 ? body : body.slice(0, end);
  const isName = (scheme === 'file' ? PATH : PATH_AND_KEY).test(name);
  return isName ? { name, fallback: end === -1 ? undefined : body.slice(end + 2) } : undefined;
}

const problemOf = ({ message, fix }: { readonly message: string; readonly fix: string }) => ({
  message: `missing secret: ${message}`,
  fix,
});

function isEmpty({ scheme, name }: Reference) {
  return problemOf({
    message: `\${${scheme}:${name}} is empty`,
    fix: `Store a value there. If it may be empty, write \${${scheme}:${name}:-}.`,
  });
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
