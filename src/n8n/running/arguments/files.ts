import { AppError } from '../../../kernel/errors.ts';
import type { Json } from '../../../kernel/source.ts';

/** A file among the arguments of a tool. */
export const fileSchema = {
  type: 'object',
  properties: {
    name: { type: 'string', description: 'File name with extension' },
    mimeType: { type: 'string', description: 'For example application/pdf' },
    data: { type: 'string', contentEncoding: 'base64', description: 'Content as base64' },
  },
  required: ['name', 'data'],
  additionalProperties: false,
} as const satisfies Json;

export const filesSchema = { type: 'array', items: fileSchema, description: 'Files to pass on' } as const;

interface Given {
  readonly name: string;
  readonly mimeType?: string;
  readonly data: string;
}

const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/;

/** Puts a file into a form. */
export function appendFile(form: FormData, field: string, file: unknown): void {
  const { name, mimeType = 'application/octet-stream', data } = file as Given;
  const plain = data.replaceAll(/\s+/g, '');
  if (!BASE64.test(plain)) {
    throw new AppError('invalid_input', `The data of the file ${name.slice(0, 100)} is not base64.`);
  }
  form.append(field, new Blob([Buffer.from(plain, 'base64')], { type: mimeType }), name);
}
