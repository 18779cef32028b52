import type { NodeDescription, Port, Property } from '../description.ts';
import { inputsOf, outputsOf } from '../configuration/ports.ts';

/** A port that carries no data (`ai_tool`, `ai_memory`, …), and the parameters that make it appear. */
export interface Attachment {
  readonly end: 'gives' | 'takes';
  readonly port: Port;
  /** Absent if the port exists by default. */
  readonly parameters?: Record<string, unknown>;
}

export const isAttachment = (kind: string): boolean => kind.startsWith('ai_');

/** The first port of each kind that a node gives and takes. */
export function attachmentsOf(description: NodeDescription, version: number): Attachment[] {
  const found: Attachment[] = [];
  for (const parameters of variations(description)) {
    const set = Object.keys(parameters).length > 0 && { parameters };
    const ends = {
      gives: outputsOf(description, parameters, version),
      takes: inputsOf(description, parameters, version),
    };
    for (const end of ['gives', 'takes'] as const) {
      for (const port of ends[end] ?? []) {
        const isKnown = found.some((one) => one.end === end && one.port.type === port.type);
        if (isAttachment(port.type) && !isKnown) found.push({ end, port, ...set });
      }
    }
  }
  return found;
}

/** n8n's own nodes have about a dozen. The limit bounds the work, because each one is evaluated. */
const MOST_VARIATIONS = 40;

/** The defaults, then each single choice that the ports depend on. */
function variations({ inputs, outputs, properties }: NodeDescription): Record<string, unknown>[] {
  const computed = [inputs, outputs].filter((ports) => typeof ports === 'string').join('\n');
  if (computed === '') return [{}];
  const named = properties.filter(({ name }) => new RegExp(`\\b${RegExp.escape(name)}\\b`).test(computed));
  const changed = named.flatMap((property) => choicesOf(property).map((value) => ({ [property.name]: value })));
  return [{}, ...changed].slice(0, MOST_VARIATIONS);
}

function choicesOf({ type, options = [], default: preset }: Property): unknown[] {
  if (type === 'boolean') return [preset !== true];
  if (type !== 'options') return [];
  return options.flatMap((option) => ('value' in option && option.value !== preset ? [option.value] : []));
}
