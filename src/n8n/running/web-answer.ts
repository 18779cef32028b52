import { createHash } from 'node:crypto';
import { z } from 'zod';
import { shorten } from '../executions/shorten.ts';

/** What a webhook answered, as far as it can be shown. */
export const webAnswer = z.object({
  status: z.number(),
  content_type: z.string().optional(),
  body: z.unknown().optional().describe('Parsed if it is JSON; shortened if long'),
  bytes: z.number().optional().describe('Size of the body, if it is not shown whole'),
  sha256: z.string().optional().describe('Of a binary body'),
  file: z.string().optional().describe('Name of the file that was sent'),
  location: z.string().optional().describe('Where a redirect leads'),
});

export type WebAnswer = z.output<typeof webAnswer>;

export interface RawAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly bytes: Uint8Array;
  /** There was more than we read. */
  readonly cut: boolean;
}

const textual = /^text\/|json|xml|javascript|x-www-form-urlencoded|graphql|yaml|csv/i;

/** Describes a binary answer instead of showing it. */
export function describeAnswer({ status, headers, bytes, cut }: RawAnswer, most: number): WebAnswer {
  const type = headers.get('content-type') ?? undefined;
  const location = headers.get('location');
  const told = {
    status,
    ...(type !== undefined && { content_type: type }),
    ...(location && { location: location.slice(0, 500) }),
    ...fileIn(headers),
  };
  if (bytes.length === 0) return told;
  const text = isText(type, bytes) ? new TextDecoder().decode(bytes) : undefined;
  if (text === undefined) {
    return { ...told, bytes: bytes.length, ...(!cut && { sha256: createHash('sha256').update(bytes).digest('hex') }) };
  }
  const shown = shorten(parsed(text), most);
  return { ...told, body: shown.value, ...((shown.cut || cut) && { bytes: bytes.length }) };
}

/** The whole body, parsed if it is JSON. */
export const bodyOf = ({ bytes }: RawAnswer): unknown => parsed(new TextDecoder().decode(bytes));

function isText(type: string | undefined, bytes: Uint8Array): boolean {
  return type === undefined ? !bytes.includes(0) : textual.test(type);
}

function fileIn(headers: Headers): { file?: string } {
  const name = /filename="?([^";]+)/i.exec(headers.get('content-disposition') ?? '')?.[1];
  return name === undefined ? {} : { file: name.slice(0, 200) };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}
