import type { Json } from '../../kernel/source.ts';

/**
 * How n8n's tools begin an answer that is none, as n8n's own MCP server reads it in newer versions, and what its calculator
 * answers to anything that it cannot work out.
 */
const FAILURE = /^(?:\w+Error: |(?:HTTP \d{3} )?There was an error: |I don't know how to do that\.$)/;

/** Whether n8n says that the tool failed, in a result that is a success by its form. */
export function isToolFailure({ content }: Json): boolean {
  if (!Array.isArray(content) || content.length !== 1) return false;
  const { type, text } = content[0] as Json;
  return type === 'text' && typeof text === 'string' && FAILURE.test(text);
}
