import type { Json } from '../../../kernel/source.ts';
import type { Node } from '../../../n8n/client/shapes.ts';
import { type FormField, formFields, formText, formValue } from '../../../n8n/running/form-fields.ts';
import { formPath, formRoot } from '../../../n8n/running/triggers.ts';
import { safePath } from '../../../n8n/running/web-call.ts';
import { appendFile, fileSchema } from '../files.ts';
import { propertyKeys } from './property-keys.ts';
import { objectSchema, type Unfit, type Way } from './way.ts';

/** A workflow that begins with a form: its arguments are the fields. */
export function formWay({ node }: { readonly node: Node }): Way | Unfit {
  const { authentication = 'none' } = node.parameters;
  if (authentication !== 'none') {
    return {
      reason: `Its form wants ${String(authentication)}, which cannot be given here. Give the workflow a trigger "When Executed by Another Workflow" beside it, which needs none.`,
    };
  }
  const trigger = { name: node.name, type: node.type, kind: 'form', node } as const;
  const path = formPath(trigger);
  if (path === undefined || path.startsWith('=')) return { reason: 'Its form has no fixed address.' };
  const all = formFields(node);
  // What a form only shows is no argument, and sent all the same.
  const fields = all.filter(({ kind }) => kind !== 'html');
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
      for (const field of all) {
        const own = given.get(keys[fields.indexOf(field)] as string);
        if (field.kind === 'file') {
          for (const file of [own ?? []].flat()) appendFile(form, `field-${field.index}`, file);
          continue;
        }
        const value = formValue(field, own);
        if (value !== undefined) form.set(`field-${field.index}`, formText(field, value));
      }
      return { method: 'POST', path: `/${formRoot(trigger)}/${safePath(path)}`, body: form };
    },
  };
}

function schemaOf(field: FormField, key: string): Json {
  const told = {
    ...(key !== field.name && { title: field.name }),
    ...(field.hint !== undefined && { description: field.hint }),
  };
  const one: Json =
    field.kind === 'file'
      ? fileSchema
      : field.options.length > 0
        ? { type: 'string', enum: field.options }
        : { type: field.kind === 'number' ? 'number' : 'string', ...formatOf(field.kind) };
  if (!field.several) return { ...told, ...one };
  const { required, least, most } = field;
  return {
    ...told,
    type: 'array',
    items: one,
    ...(required && { minItems: Math.max(1, least ?? 1) }),
    ...(most !== undefined && { maxItems: most }),
  };
}

function formatOf(kind: string): Json {
  if (kind === 'date') return { format: 'date' };
  return kind === 'email' ? { format: 'email' } : {};
}
