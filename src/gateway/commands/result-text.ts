import type { Json } from '../../kernel/source.ts';
import { isObject } from '../../wire/jsonrpc.ts';

/** A tool's result as text, with a note for each part that is not text. */
export function resultText({ content, structuredContent }: Json): string {
  const blocks = Array.isArray(content) ? content.filter(isObject) : [];
  if (blocks.length === 0) return structuredContent === undefined ? '' : JSON.stringify(structuredContent, null, 2);
  return blocks.map(blockText).join('\n');
}

function blockText(block: Json): string {
  switch (block.type) {
    case 'text':
      return String(block.text);
    case 'image':
    case 'audio':
      return `[${block.type}, ${String(block.mimeType)}, ${bytesOf(block.data)} bytes; --json shows it]`;
    case 'resource_link':
      return `[resource ${String(block.uri)}]`;
    case 'resource':
      return isObject(block.resource) ? resourceText(block.resource) : '[resource]';
    default:
      return JSON.stringify(block);
  }
}

function resourceText({ uri, text, mimeType, blob }: Json): string {
  if (typeof text === 'string') return text;
  return `[resource ${String(uri)}, ${String(mimeType)}, ${bytesOf(blob)} bytes; --json shows it]`;
}

function bytesOf(base64: unknown): number {
  return typeof base64 === 'string' ? Buffer.byteLength(base64, 'base64') : 0;
}
