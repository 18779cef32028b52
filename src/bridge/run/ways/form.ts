import type { Json } from '../../../kernel/source.ts';
import type { Node } from '../../../n8n/client/shapes.ts';
import { formPath } from '../../../n8n/executions/triggers.ts';
import { safePath } from '../../../n8n/executions/web-call.ts';
import { appendFile, fileSchema } from '../files.ts';
import { propertyKeys } from './property-keys.ts';
import { objectSchema, type Unfit, type Way } from './way.ts';

interface Field {
  /** Its place in the form, by which n8n knows it. */
  readonly index: number;
  readonly name: string;
  readonly kind: string;
  readonly required: boolean;
  readonly several: boolean;
  readonly options: readonly string[];
  readonly hint?: string;
}

/** A workflow that begins with a form: its arguments are the fields. */
export function formWay({ node }: { readonly node: Node }): Way | Unfit {
  const { authentication = 'none' } = node.parameters;
  if (authentication !== 'none') {
    return {
      reason: `Its form wants ${String(authentication)}, which cannot be given here. Give the workflow a trigger "When Executed by Another Workflow" beside it, which needs none.`,
    };
  }
  const path = formPath({ name: node.name, type: node.type, kind: 'form', node });
  if (path === undefined || path.startsWith('=')) return { reason: 'Its form has no fixed address.' };
  const fields = fieldsOf(node);
  const keys = propertyKeys(fields.map(({ name }) => name));
  const properties = Object.fromEntries(
    fields.map((field, index) => [keys[index], schemaOf(field, keys[index] as string)]),
  );
  return {
    schema: objectSchema(
      properties,
      keys.filter((_, index) => fields[index]?.required),
      false,
    ),
    // n8n thanks for a form before its workflow has run, or says nothing at all.
    answering: 'execution',
    request(args) {
      const form = new FormData();
      const given = new Map(Object.entries(args));
      for (const [at, field] of fields.entries()) {
        const value = given.get(keys[at] as string);
        if (value === undefined || value === null) continue;
        if (field.kind === 'file') {
          for (const file of [value].flat()) appendFile(form, `field-${field.index}`, file);
        } else form.set(`field-${field.index}`, textOf(field, value));
      }
      return { method: 'POST', path: `/form/${safePath(path)}`, body: form };
    },
  };
}

function fieldsOf({ parameters }: Node): Field[] {
  const { values } = (parameters.formFields ?? {}) as { values?: unknown };
  return ((Array.isArray(values) ? values : []) as Record<string, unknown>[]).flatMap((value, index) => {
    const {
      fieldLabel,
      fieldName,
      fieldType = 'text',
      requiredField,
      multiselect,
      multipleFiles,
      fieldOptions,
    } = value;
    const kind = String(fieldType);
    if (kind === 'html') return [];
    const name = [fieldName, fieldLabel].find((one) => typeof one === 'string' && one !== '') ?? `field-${index}`;
    const { values: options } = (fieldOptions ?? {}) as { values?: { option?: unknown }[] };
    const hint = [fieldLabel, value.placeholder].find((one) => typeof one === 'string' && one !== '' && one !== name);
    return [
      {
        index,
        name: name as string,
        kind,
        required: requiredField === true,
        several:
          kind === 'checkbox' ||
          (kind === 'dropdown' && multiselect === true) ||
          (kind === 'file' && multipleFiles !== false),
        options: (Array.isArray(options) ? options : []).map(({ option }) => String(option)),
        ...(typeof hint === 'string' && { hint }),
      },
    ];
  });
}

function schemaOf(field: Field, key: string): Json {
  const told = {
    ...(key !== field.name && { title: field.name }),
    ...(field.hint !== undefined && { description: field.hint }),
  };
  const one: Json =
    field.kind === 'file'
      ? fileSchema
      : field.options.length > 0
        ? { type: 'string', enum: [...new Set(field.options)] }
        : { type: field.kind === 'number' ? 'number' : 'string', ...formatOf(field.kind) };
  return { ...told, ...(field.several ? { type: 'array', items: one, ...(field.required && { minItems: 1 }) } : one) };
}

function formatOf(kind: string): Json {
  if (kind === 'date') return { format: 'date' };
  return kind === 'email' ? { format: 'email' } : {};
}

/** n8n takes choices as a list in JSON, even where only one can be made. */
function textOf({ kind, several }: Field, value: unknown): string {
  if (several || kind === 'radio') return JSON.stringify([value].flat());
  return typeof value === 'string' ? value : JSON.stringify(value);
}
