import { AppError } from '../../kernel/errors.ts';
import type { Trigger } from './triggers.ts';

interface Field {
  readonly label: string;
  /** By what n8n calls it in the data it gives out. */
  readonly names: readonly string[];
  readonly required: boolean;
  readonly type: string;
}

/** What a form is sent: n8n numbers the fields in the order they stand. */
export function formData(trigger: Trigger, data: unknown): FormData {
  const fields = fieldsOf(trigger);
  if (typeof data !== 'object' || data === null || Array.isArray(data)) {
    throw new AppError('invalid_input', `A form is sent an object of its fields: ${labels(fields)}.`);
  }
  const given = new Map(Object.entries(data));
  const form = new FormData();
  for (const [index, field] of fields.entries()) {
    const name = field.names.find((one) => given.has(one));
    const value = name === undefined ? undefined : given.get(name);
    if (name !== undefined) given.delete(name);
    if (value === undefined || value === null) {
      if (field.required)
        throw new AppError('invalid_input', `The form wants ${field.label}. Its fields: ${labels(fields)}.`);
      continue;
    }
    if (field.type === 'file') {
      throw new AppError(
        'unsupported',
        `${field.label} is a file, which cannot be sent from here. Submit the form in a browser.`,
      );
    }
    form.set(`field-${index}`, typeof value === 'string' ? value : JSON.stringify(value));
  }
  if (given.size > 0) {
    throw new AppError(
      'invalid_input',
      `The form has no ${[...given.keys()].join(', ')}. Its fields: ${labels(fields)}.`,
    );
  }
  return form;
}

function fieldsOf({ node: { parameters } }: Trigger): Field[] {
  const { values } = (parameters.formFields ?? {}) as { values?: unknown };
  return (Array.isArray(values) ? values : []).map((value, index) => {
    const { fieldLabel, fieldName, fieldType, requiredField } = value as Record<string, unknown>;
    const names = [fieldName, fieldLabel, `field-${index}`].filter((one) => typeof one === 'string' && one !== '');
    return {
      label: String(names[0]),
      names: names as string[],
      required: requiredField === true,
      type: typeof fieldType === 'string' ? fieldType : 'text',
    };
  });
}

const labels = (fields: readonly Field[]): string =>
  fields.map(({ label, required }) => (required ? `${label} (required)` : label)).join(', ') || 'none';
