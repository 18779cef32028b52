import { AppError } from '../../kernel/errors.ts';
import { type FormField, formFields, formText, type FormValue, formValue } from './form-fields.ts';
import type { Node } from '../client/shapes.ts';

/** n8n adds these to the submitted fields, so data copied from an execution contain them. Ignore them. */
const added: ReadonlySet<string> = new Set(['submittedAt', 'formMode', 'formQueryParameters']);

/** The body of a submitted form: n8n numbers the fields in their order. */
export function formData(node: Node, data: unknown): FormData {
  const form = new FormData();
  for (const [field, value] of filled(node, data)) form.set(`field-${field.index}`, formText(field, value));
  return form;
}

/** The item that the form trigger outputs for these data. */
export function formItem(node: Node, data: unknown): Record<string, unknown> {
  const values = new Map(filled(node, data));
  const shown = formFields(node).filter(({ name }) => name !== '');
  const entries = [...values].map(([field, value]) => [field.name, value] as const).filter(([name]) => name !== '');
  return {
    ...Object.fromEntries(shown.map(({ name }) => [name, null])),
    ...Object.fromEntries(entries),
    submittedAt: new Date().toISOString(),
    formMode: 'test',
  };
}

/** The value of each field. The data name fields by name or label. */
function filled(node: Node, data: unknown): [FormField, FormValue][] {
  const fields = formFields(node);
  if (typeof data !== 'object' || data === null || Array.isArray(data)) {
    throw new AppError('invalid_input', `A form takes an object of its fields: ${listed(fields)}.`);
  }
  const given = new Map(Object.entries(data).filter(([name]) => !added.has(name)));
  const values = fields.flatMap((field): [FormField, FormValue][] => {
    const name = [field.name, ...field.aliases].find((one) => given.has(one));
    const own = name === undefined ? undefined : (given.get(name) as unknown);
    if (name !== undefined) given.delete(name);
    if (field.kind === 'file' && own !== undefined && own !== null) {
      throw new AppError(
        'unsupported',
        `${field.name} is a file, which cannot be sent from here. Submit the form in a browser.`,
      );
    }
    const value = formValue(field, own);
    return value === undefined ? [] : [[field, value]];
  });
  if (given.size > 0) {
    throw new AppError(
      'invalid_input',
      `The form has no ${[...given.keys()].join(', ')}. Its fields: ${listed(fields)}.`,
    );
  }
  return values;
}

const listed = (fields: readonly FormField[]): string =>
  fields
    .filter(({ name }) => name !== '')
    .map(({ name, required }) => (required ? `${name} (required)` : name))
    .join(', ') || 'none';
