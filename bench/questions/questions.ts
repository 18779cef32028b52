import { createHash } from 'node:crypto';

/** A question and the nodes that are right for it, as n8n spells them. */
export interface Question {
  readonly ask: string;
  readonly right: readonly string[];
}

/** `slack` is n8n-nodes-base.slack, `@agent` is @n8n/n8n-nodes-langchain.agent. */
export function questionsFrom(rows: readonly (readonly [ask: string, ...right: string[]])[]): Question[] {
  return rows.map(([ask, ...right]) => ({
    ask,
    right: right.map((name) =>
      name.startsWith('@') ? `@n8n/n8n-nodes-langchain.${name.slice(1)}` : `n8n-nodes-base.${name}`,
    ),
  }));
}

/** Half of the questions are never looked at while tuning. The hash of the question decides, so that nobody chooses. */
export function heldOut({ ask }: Question): boolean {
  return createHash('sha256').update(ask).digest().readUInt8(0) % 2 === 1;
}
