import { isRecord, own, type Rec } from '../json/record.ts';
import { plainJson } from './plain-json.ts';
import type { ReadProblem } from './read-problem.ts';

export type Reading =
  | {
      readonly workflow: Rec;
      /** A JSON Pointer to it in the input: `/workflow`, or empty if it is not wrapped. */
      readonly at: string;
      readonly problems: readonly ReadProblem[];
    }
  | {
      readonly workflow: undefined;
      readonly problems: readonly ReadProblem[];
      /** The input is text, but not JSON. */
      readonly unparsed?: true;
    };

/** n8n itself accepts 16 MB. */
const LONGEST_TEXT = 32 * 1024 * 1024;

const advice =
  'Pass a workflow as n8n exports it: an object with "nodes" (a list) and "connections" (an object), or the same as JSON text.';

/**
 * Finds the workflow in the input: an object, JSON text, a template or a reply that wraps it (`{ workflow }`,
 * `{ data }`), or the list of one that n8n's command line exports. Paths start at the workflow itself, not at its
 * wrapper.
 */
export function readWorkflow(input: unknown): Reading {
  try {
    return reading(input);
  } catch {
    // A proxy can throw on any access.
    return refused(`This cannot be read. ${advice}`);
  }
}

function reading(input: unknown): Reading {
  const parsed = typeof input === 'string' ? parse(input) : { value: input };
  if ('problem' in parsed) return { ...refused(parsed.problem), ...(parsed.unparsed && { unparsed: true }) };
  const { value: inner, at } = unwrapped(parsed.value);
  const { value, problems } = plainJson(inner);
  if (Array.isArray(value)) {
    return refused(
      value.length > 1 && value.every((one) => isRecord(one) && Object.hasOwn(one, 'nodes'))
        ? `This is a list of ${value.length} workflows. Pass them one at a time.`
        : `This is a list, not a workflow. ${advice}`,
    );
  }
  if (value === undefined && problems.length > 0) return { workflow: undefined, problems };
  if (!isRecord(value)) {
    return refused(
      `This is ${value === null || value === undefined ? 'nothing' : `a ${typeof value}`}, not a workflow. ${advice}`,
    );
  }
  return { workflow: value, at, problems };
}

function refused(message: string): Reading {
  return { workflow: undefined, problems: [{ path: '', message }] };
}

function parse(text: string): { value: unknown } | { problem: string; unparsed?: true } {
  if (text.length > LONGEST_TEXT) {
    return {
      problem: 'This text is longer than 32 MB, and n8n accepts only 16. Split the workflow into smaller ones.',
    };
  }
  try {
    return { value: JSON.parse(bare(text)) };
  } catch (error) {
    return { problem: `This is not JSON: ${(error as Error).message.slice(0, 200)}. ${advice}`, unparsed: true };
  }
}

/** Removes a byte order mark, and the code fence that a chat puts around. */
function bare(text: string): string {
  const trimmed = text.trim();
  if (!trimmed.startsWith('```') || !trimmed.endsWith('```')) return trimmed;
  return trimmed.slice(trimmed.indexOf('\n') + 1, -'```'.length);
}

/** A template contains a workflow that contains the workflow. Nobody wraps deeper. */
const DEEPEST_WRAPPER = 3;

function unwrapped(given: unknown): { value: unknown; at: string } {
  let value = given;
  let at = '';
  for (let depth = 0; depth < DEEPEST_WRAPPER; depth++) {
    if (Array.isArray(value) && value.length === 1) {
      value = value[0] as unknown;
      at += '/0';
    }
    if (!isRecord(value) || Object.hasOwn(value, 'nodes')) break;
    const key = own(value, 'workflow') == null ? 'data' : 'workflow';
    const inner = own(value, key);
    if (!isRecord(inner) && !Array.isArray(inner)) break;
    const name = own(value, 'name');
    value =
      isRecord(inner) && typeof name === 'string' && !Object.hasOwn(inner, 'name') && Object.hasOwn(inner, 'nodes')
        ? { ...inner, name }
        : inner;
    at += `/${key}`;
  }
  return { value, at };
}
