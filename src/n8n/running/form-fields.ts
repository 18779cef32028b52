import { AppError } from '../../kernel/errors.ts';
import type { Node } from '../client/shapes.ts';

/** A field of a form, as n8n's Form Trigger knows it. */
export interface FormField {
  /** Its position in the form. The request calls it `field-<index>`. */
  readonly index: number;
  /** Its key in the output of the trigger; empty if it outputs nothing. */
  readonly name: string;
  /** Other names that callers may use for it. */
  readonly aliases: readonly string[];
  readonly kind: string;
  readonly required: boolean;
  /** It takes a list. */
  readonly several: boolean;
  /** The choices; empty if anything can be entered, or an expression decides. */
  readonly options: readonly string[];
  /** The least and most options that may be chosen, if limited. */
  readonly least?: number;
  readonly most?: number;
  /** Its default value. */
  readonly preset?: string;
  readonly hint?: string;
}

/** The value of a field. */
export type FormValue = string | number | readonly string[];

const choices: ReadonlySet<string> = new Set(['dropdown', 'radio', 'checkbox']);

/** The fields of a form in their order, including those that only display something. */
export function formFields({ parameters, typeVersion = Number.POSITIVE_INFINITY }: Node): FormField[] {
  const { values } = (parameters.formFields ?? {}) as { values?: unknown };
  return (Array.isArray(values) ? (values as Record<string, unknown>[]) : []).map((value, index) => {
    const kind = text(value.fieldType) ?? 'text';
    const [label, given, element] = [text(value.fieldLabel), text(value.fieldName), text(value.elementName)];
    // Before version 2.4 fields had no name, and n8n used their labels.
    const names = kind === 'html' ? [element] : typeVersion >= 2.4 ? [given, label] : [label, given];
    const [name = kind === 'html' ? '' : `field-${index}`, ...aliases] = names.filter((one) => one !== undefined);
    const hint = [label, text(value.placeholder)].find((one) => one !== undefined && one !== name);
    return {
      index,
      name,
      aliases: [...aliases, `field-${index}`],
      kind,
      required: value.requiredField === true && kind !== 'html' && kind !== 'hiddenField',
      several:
        kind === 'checkbox' ||
        (kind === 'dropdown' && value.multiselect === true && typeVersion < 2.3) ||
        (kind === 'file' && value.multipleFiles !== false),
      options: choices.has(kind) ? optionsOf(value.fieldOptions) : [],
      ...(kind === 'checkbox' && limitsOf(value)),
      ...presetOf(kind, value),
      ...(hint !== undefined && { hint }),
    };
  });
}

const text = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined);

function optionsOf(given: unknown): string[] {
  const { values } = (given ?? {}) as { values?: unknown };
  const options = (Array.isArray(values) ? (values as { option?: unknown }[]) : []).map(({ option }) => String(option));
  return options.some((option) => option.startsWith('=')) ? [] : [...new Set(options)];
}

function limitsOf(value: Record<string, unknown>): Pick<FormField, 'least' | 'most'> {
  const { limitSelection, numberOfSelections, minSelections, maxSelections } = value;
  const count = (given: unknown, otherwise: number): number => (typeof given === 'number' ? given : otherwise);
  if (limitSelection === 'exact') return { least: count(numberOfSelections, 1), most: count(numberOfSelections, 1) };
  return limitSelection === 'range' ? { least: count(minSelections, 0), most: count(maxSelections, 1) } : {};
}

/** The default value. Only n8n can evaluate an expression, so there is none then. */
function presetOf(kind: string, value: Record<string, unknown>): Pick<FormField, 'preset'> {
  const given = kind === 'hiddenField' ? value.fieldValue : kind === 'html' ? value.html : value.defaultValue;
  const preset = kind === 'date' ? dayIn(given) : text(given);
  return preset === undefined || preset.startsWith('=') ? {} : { preset };
}

/**
 * What to send for a field with this value. Without a value: what a browser sends for an untouched field. Undefined: send
 * nothing, which n8n reads as null.
 */
export function formValue(field: FormField, given: unknown): FormValue | undefined {
  if (given === undefined || given === null || given === '') return untouched(field);
  if (field.kind === 'number') return numberOf(field, given);
  if (field.kind === 'date') return dateOf(field, given);
  if (!choices.has(field.kind)) return typeof given === 'string' ? given : JSON.stringify(given);
  const chosen = chosenOf(field, given);
  if (field.several) return chosen;
  if (chosen.length > 1) throw wrong(field, `takes one of: ${field.options.join(', ')}`);
  return chosen[0] ?? untouched(field);
}

function untouched(field: FormField): FormValue | undefined {
  const { kind, several, preset, options } = field;
  if (several && kind !== 'file') {
    const ticked = new Set((preset ?? '').split(',').map((one) => one.trim()));
    return counted(
      field,
      options.filter((option) => ticked.has(option)),
    );
  }
  if (preset !== undefined && (options.length === 0 || options.includes(preset))) {
    return kind === 'number' ? numberOf(field, preset) : preset;
  }
  if (field.required) throw new AppError('invalid_input', `The form requires ${field.name}.${choosing(field)}`);
  // n8n would read an empty number as 0, a value that nobody entered.
  return kind === 'number' || kind === 'file' || kind === 'radio' ? undefined : '';
}

function chosenOf(field: FormField, given: unknown): string[] {
  const { options } = field;
  const [only] = options;
  // A single box is ticked or not.
  const ticked = typeof given === 'boolean' && options.length === 1 && field.several ? (given ? [only] : []) : [given];
  const chosen = ticked.flat().map((one) => (typeof one === 'string' ? one : JSON.stringify(one)));
  const odd = chosen.find((one) => options.length > 0 && !options.includes(one));
  if (odd !== undefined) {
    throw new AppError('invalid_input', `${JSON.stringify(odd)} is not an option of ${field.name}.${choosing(field)}`);
  }
  return field.several ? counted(field, [...new Set(chosen)]) : chosen;
}

function counted(field: FormField, chosen: string[]): string[] {
  const { required, least = 0, most = Number.POSITIVE_INFINITY, options, name } = field;
  if (required && chosen.length === 0)
    throw new AppError('invalid_input', `The form requires ${name}.${choosing(field)}`);
  // An optional field may be left empty, whatever its limits.
  const isNone = chosen.length === 0 && !required;
  if (isNone || (chosen.length >= least && chosen.length <= most)) return chosen;
  const range = least === most ? `exactly ${least}` : `${least} to ${most}`;
  throw wrong(field, `takes ${range} of: ${options.join(', ')}`);
}

function numberOf(field: FormField, given: unknown): number {
  const value = typeof given === 'string' ? Number(given) : given;
  if (typeof value === 'number' && Number.isFinite(value)) return value;
  throw wrong(field, `takes a number, not ${JSON.stringify(given)}`);
}

function dateOf(field: FormField, given: unknown): string {
  const day = dayIn(given);
  if (day !== undefined) return day;
  throw wrong(field, `takes a date such as 2026-11-30, not ${JSON.stringify(given)}`);
}

function dayIn(given: unknown): string | undefined {
  const day = typeof given === 'string' ? /^\d{4}-\d{2}-\d{2}(?=$|[T ])/.exec(given.trim())?.[0] : undefined;
  return day === undefined || Number.isNaN(Date.parse(day)) ? undefined : day;
}

const wrong = ({ name }: FormField, words: string): AppError =>
  new AppError('invalid_input', `The field ${name} ${words}.`);

const choosing = ({ options }: FormField): string => (options.length > 0 ? ` Its options: ${options.join(', ')}.` : '');

/** n8n expects choices as a JSON list, even for radio buttons, which allow only one. */
export function formText({ kind, several }: FormField, value: FormValue): string {
  if (several || kind === 'radio') return JSON.stringify([value].flat());
  return String(value);
}
