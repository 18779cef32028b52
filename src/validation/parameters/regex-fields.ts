import { pointer } from '../json/json-pointer.ts';
import { isRecord } from '../json/record.ts';
import type { Subject } from '../subject/subject.ts';
import { givenFields, isExpression } from './checked-fields.ts';

export interface RegexText {
  readonly node: string;
  readonly pointer: string;
  readonly text: string;
  readonly source: string;
  readonly flags: string;
}

const found = new WeakMap<Subject, readonly RegexText[]>();

/** Every fixed string that n8n compiles as a regular expression. */
export function regexesOf(subject: Subject): readonly RegexText[] {
  const known = found.get(subject);
  if (known) return known;
  const regexes = [...inFilters(subject), ...besideOperation(subject), ...ofTheirOwn(subject)];
  found.set(subject, regexes);
  return regexes;
}

/** Accepts `/x/i` and a bare `x`. */
function regexText(node: string, at: string, value: unknown): RegexText[] {
  if (typeof value !== 'string' || value === '' || isExpression(value)) return [];
  const literal = /^\/([\s\S]*?)\/([gimusy]*)$/.exec(value);
  return [{ node, pointer: at, text: value, source: literal?.[1] ?? value, flags: literal?.[2] ?? '' }];
}

function inFilters(subject: Subject): RegexText[] {
  return givenFields(subject, 'filter').flatMap(({ value, node, pointer: at }) => {
    const conditions = isRecord(value) && Array.isArray(value['conditions']) ? (value['conditions'] as unknown[]) : [];
    return conditions.flatMap((condition, index) => {
      const operator = isRecord(condition) ? condition['operator'] : undefined;
      if (!isRecord(condition) || !isRecord(operator)) return [];
      if (operator['operation'] !== 'regex' && operator['operation'] !== 'notRegex') return [];
      return regexText(node.name, pointer(at, 'conditions', index, 'rightValue'), condition['rightValue']);
    });
  });
}

/** Conditions of older versions: an operation with the second value next to it. */
function besideOperation(subject: Subject): RegexText[] {
  const regexPlaces = new Set<string>();
  for (const { property, value, pointer: at } of givenFields(subject, 'options')) {
    if (property.name === 'operation' && (value === 'regex' || value === 'notRegex')) regexPlaces.add(parentOf(at));
  }
  if (regexPlaces.size === 0) return [];
  return givenFields(subject, 'string')
    .filter(({ property, pointer: at }) => property.name === 'value2' && regexPlaces.has(parentOf(at)))
    .flatMap(({ node, pointer: at, value }) => regexText(node.name, at, value));
}

function ofTheirOwn(subject: Subject): RegexText[] {
  return givenFields(subject, 'string')
    .filter(({ property: { name }, path }) => /regex$/i.test(name) && !/replace/i.test(name) && path.length > 1)
    .flatMap(({ node, pointer: at, value }) => regexText(node.name, at, value));
}

function parentOf(at: string): string {
  return at.slice(0, at.lastIndexOf('/'));
}
