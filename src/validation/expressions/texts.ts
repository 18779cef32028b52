import type { Property } from '../../nodes/description.ts';
import { pointer } from '../json/json-pointer.ts';
import { isRecord } from '../json/record.ts';
import type { Field, NodeView, Subject } from '../subject/subject.ts';
import { type Parsed, parseBody, parseExpression } from './javascript.ts';
import { type Names, namesIn } from './names.ts';
import { piecesOf } from './pieces.ts';
import { readSimple } from './simple.ts';

/** A parameter that is code or contains code. */
export interface CodeText {
  readonly node: NodeView;
  readonly pointer: string;
  /** The field that holds it, if the catalogue knows it. */
  readonly property: Property | undefined;
  /** The text is the whole value of that field, not a part of it. */
  readonly isWhole: boolean;
  readonly language: 'expression' | 'javascript' | 'python';
  /** The text as the editor shows it, without the leading `=`. */
  readonly text: string;
  /** How many characters come before the text in the workflow: 1 for the `=`. */
  readonly lead: number;
  readonly scripts: readonly Script[];
  /** The text is too long to check. */
  readonly skipped: boolean;
}

/** A piece of JavaScript in a text. */
export interface Script {
  readonly code: string;
  readonly start: number;
  readonly closed: boolean;
  readonly parsed: Parsed;
  readonly names: Names;
}

/** Nobody reads more, and n8n gives up on an expression after some seconds. */
const LONGEST_EXPRESSION = 50_000;
const LONGEST_CODE = 500_000;
/** The total number of characters to parse in one workflow. */
const MOST = 8_000_000;

const NO_NAMES: Names = { references: [], free: [], returns: false, returned: [] };

const read = new WeakMap<Subject, readonly CodeText[]>();

/** All expressions and code of the nodes that would run. Parsed once and cached for all rules. */
export function codeTexts(subject: Subject): readonly CodeText[] {
  let texts = read.get(subject);
  if (!texts) {
    const reader = readerOf();
    texts = subject.nodes.flatMap((node) => (node.disabled || node.sticky ? [] : textsOf(node, reader)));
    read.set(subject, texts);
  }
  return texts;
}

export interface Place {
  readonly value: string;
  readonly pointer: string;
  /** The innermost visible field around it. */
  readonly field: Field | undefined;
}

/** All strings in the parameters that n8n reads in this configuration. Skips hidden parameters. */
export function shownTexts(node: NodeView): readonly Place[] {
  let places = shown.get(node);
  if (!places) {
    places = placesOf(node);
    shown.set(node, places);
  }
  return places;
}

const shown = new WeakMap<NodeView, readonly Place[]>();

function placesOf(node: NodeView): Place[] {
  const places: Place[] = [];
  const isKnown = node.description !== undefined;
  let fields: Map<string, Field> | undefined;
  const fieldAt = (at: string) =>
    (fields ??= new Map(node.fields().map((field) => [field.pointer, field] as const))).get(at);
  const visit = (value: unknown, at: string, above: Field | undefined): void => {
    if (typeof value === 'string') {
      if (value.length < 2) return;
      const field = fieldAt(at) ?? above;
      // Inside a collection, n8n shows only known fields.
      if (!isKnown || (field && !isContainer(field, at))) places.push({ value, pointer: at, field });
    } else if (Array.isArray(value)) {
      const field = fieldAt(at) ?? above;
      value.forEach((one: unknown, index) => visit(one, `${at}/${index}`, field));
    } else if (isRecord(value)) {
      const field = fieldAt(at) ?? above;
      for (const key of Object.keys(value)) {
        const below = value[key];
        if (typeof below === 'string' || (typeof below === 'object' && below !== null)) {
          visit(below, pointer(at, key), field);
        }
      }
    }
  };
  visit(node.parameters, pointer(node.pointer, 'parameters'), undefined);
  return places;
}

function isContainer({ property, pointer: at }: Field, place: string): boolean {
  return place !== at && (property.type === 'collection' || property.type === 'fixedCollection');
}

interface Reader {
  expression(code: string): Pick<Script, 'parsed' | 'names'>;
  body(code: string): Pick<Script, 'parsed' | 'names'>;
  /** Whether the limit allows this many more characters. */
  has(length: number): boolean;
}

/** Caches results: many nodes contain the same expression. */
function readerOf(): Reader {
  const known = new Map<string, Pick<Script, 'parsed' | 'names'>>();
  let left = MOST;
  const result = (parsed: Parsed) => ({ parsed, names: parsed.program ? namesIn(parsed.program) : NO_NAMES });
  return {
    expression(code) {
      let found = known.get(code);
      if (!found) {
        found = readSimple(code) ?? result(parseExpression(code));
        known.set(code, found);
      }
      return found;
    },
    body: (code) => result(parseBody(code)),
    has(length) {
      left -= length;
      return left >= 0;
    },
  };
}

function textsOf(node: NodeView, reader: Reader): CodeText[] {
  const texts: CodeText[] = [];
  for (const { value, pointer: at, field } of shownTexts(node)) {
    const isMarked = value.startsWith('=');
    const isWhole = field?.pointer === at;
    const language = field && isWhole ? languageOf(field.property) : undefined;
    if (!isMarked && language === undefined) continue;
    const text = isMarked ? value.slice(1) : value;
    const base = { node, pointer: at, property: field?.property, isWhole, text, lead: isMarked ? 1 : 0 };
    const kind = language ?? 'expression';
    const skipped = isTooLong(kind, text) || !reader.has(text.length);
    texts.push({ ...base, language: kind, skipped, scripts: skipped ? [] : scriptsOf(kind, text, reader) });
  }
  return texts;
}

function isTooLong(language: CodeText['language'], text: string): boolean {
  // Long text is fine if it contains no code.
  return language === 'expression'
    ? text.length > LONGEST_EXPRESSION && text.includes('{{')
    : text.length > LONGEST_CODE;
}

function scriptsOf(language: CodeText['language'], text: string, reader: Reader): Script[] {
  if (language === 'python') return [];
  if (language === 'javascript') return [{ code: text, start: 0, closed: true, ...reader.body(text) }];
  return text.includes('{{') ? piecesOf(text).map((piece) => ({ ...piece, ...reader.expression(piece.code) })) : [];
}

/** The fields that n8n reads as code. In SQL and HTML it evaluates expressions with or without `=`. */
function languageOf({ name, typeOptions }: Property): CodeText['language'] | undefined {
  switch (typeOptions?.['editor']) {
    case 'codeNodeEditor':
    case 'jsEditor':
      return name === 'pythonCode' ? 'python' : 'javascript';
    case 'sqlEditor':
    case 'htmlEditor':
      return 'expression';
    default:
      return undefined;
  }
}

export function isSelfFilling(property: Property | undefined): boolean {
  return property !== undefined && languageOf(property) === 'expression';
}

export function isEmpty({ parsed, code }: Script): boolean {
  return code.trim() === '' || (parsed.program !== undefined && parsed.program.body.length === 0);
}
