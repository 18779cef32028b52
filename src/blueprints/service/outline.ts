import type { Step, Work } from '../definition/shape.ts';

const LONGEST_TEXT = 500;

export interface Outline {
  readonly step: string;
  readonly kind: Work['kind'];
  /** The tool, the workflow, the question … */
  readonly does: string;
  readonly when?: string;
  readonly for_each?: string;
  readonly undo?: string;
  readonly confirm?: 'person';
}

const same = (text: string): string => text;

/** A step as its definition says it, for a drawing. */
export function outlineOf({ id, work, when, forEach, undo, confirm }: Step, mask = same): Outline {
  const shown = (text: string) => cut(mask(text), LONGEST_TEXT);
  const asksPerson = work.kind === 'approval' || confirm === 'human';
  return {
    step: id,
    kind: work.kind,
    does: shown(wordsOf(work)),
    ...(when !== undefined && { when: shown(when) }),
    ...(forEach !== undefined && { for_each: shown(typeof forEach === 'string' ? forEach : JSON.stringify(forEach)) }),
    ...(undo ? { undo: shown(wordsOf(undo)) } : work.kind === 'blueprint' && { undo: 'its own undo steps' }),
    ...(asksPerson && { confirm: 'person' as const }),
  };
}

export const cut = (text: string, most: number): string => (text.length > most ? `${text.slice(0, most)}…` : text);

function wordsOf(work: Work): string {
  switch (work.kind) {
    case 'tool':
      return work.tool;
    case 'workflow':
      return work.workflow;
    case 'webhook':
      return `${work.method} ${work.webhook}`;
    case 'approval':
      return work.question;
    case 'wait':
      return `${work.ms / 1000} s`;
    case 'event':
      return work.event;
    case 'blueprint':
      return work.blueprint;
  }
}
