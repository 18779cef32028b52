import { AppError } from '../../../kernel/errors.ts';
import type { Json } from '../../../kernel/source.ts';
import type { Node } from '../../client/shapes.ts';
import { itemsOf } from '../../items.ts';
import { appendFile, fileSchema } from '../arguments/files.ts';
import { objectSchema } from '../arguments/object-schema.ts';
import { propertyKeys } from '../arguments/property-keys.ts';
import { formData, formItem } from '../fill-form.ts';
import { type FormField, formFields, formText, formValue } from '../form-fields.ts';
import { safePath } from '../safe-path.ts';
import type { ToolCall, Way } from '../way.ts';

/** A form that somebody fills in. */
export const form: Way = {
  kind: 'form',
  types: ['n8n-nodes-base.formTrigger'],
  items: (node, data) => (data === undefined ? itemsOf({}) : [{ json: formItem(node, data) }]),
  address(node) {
    const path = formPath(node);
    return path === undefined ? undefined : { path: `${rootOf(node)}/${path}` };
  },
  outside: {
    request(node, data) {
      const path = formPath(node);
      if (path === undefined) throw new AppError('unsupported', `The form ${node.name} has no address.`);
      return { method: 'POST', path: `/${rootOf(node)}/${safePath(path)}`, body: formData(node, data ?? {}) };
    },
    tool({ node }) {
      const { authentication = 'none' } = node.parameters;
      if (authentication !== 'none') {
        return {
          reason: `Its form requires ${String(authentication)}, which Sluice cannot provide. Add a trigger "When Executed by Another Workflow", which needs none.`,
        };
      }
      const path = formPath(node);
      if (path === undefined || path.startsWith('=')) return { reason: 'Its form has no fixed address.' };
      return toolCall(node, path);
    },
    description: (workflow) => `Submits the form of the n8n workflow "${workflow}" and returns the result.`,
  },
};

/** Where a form answers, below its root. */
export function formPath({ parameters, webhookId, typeVersion }: Node): string | undefined {
  const options = parameters.options as { path?: unknown } | undefined;
  // n8n reads the path from one place only: since version 2.2 from the options, before that from the parameters.
  const given = typeVersion !== undefined && typeVersion < 2.2 ? parameters.path : options?.path;
  const found = [given, webhookId].find((one) => typeof one === 'string' && one !== '');
  const path = found as string | undefined;
  return path !== undefined && typeVersion === 1 ? `${path}/n8n-form` : path;
}

/** Forms of version 1 answer below /webhook/. */
const rootOf = ({ typeVersion }: Node): string => (typeVersion === 1 ? 'webhook' : 'form');

/** Its arguments are the fields. */
function toolCall(node: Node, path: string): ToolCall {
  const all = formFields(node);
  // Fields that only display something are no arguments, but the request contains them.
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
    // n8n answers a form before its workflow has run.
    answering: 'execution',
    request(args) {
      const body = new FormData();
      const given = new Map(Object.entries(args));
      for (const field of all) {
        const own = given.get(keys[fields.indexOf(field)] as string);
        if (field.kind === 'file') {
          for (const file of [own ?? []].flat()) appendFile(body, `field-${field.index}`, file);
          continue;
        }
        const value = formValue(field, own);
        if (value !== undefined) body.set(`field-${field.index}`, formText(field, value));
      }
      return { method: 'POST', path: `/${rootOf(node)}/${safePath(path)}`, body };
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
