import { type Assertion, CannotJudge, type Node } from './syntax.ts';

export type Step =
  | { readonly do: 'eat'; has(codePoint: number): boolean }
  | { readonly do: 'assert'; readonly at: Assertion }
  /** Goes on with both. The first may be patched later. */
  | { readonly do: 'fork'; to: number; or: number }
  | { readonly do: 'go'; to: number }
  | { readonly do: 'done' };

/** Repetitions are written out, so a short expression can become a long program. */
const LONGEST = 3000;

/** The steps of an expression, for a machine that is in several of them at once. */
export function programOf(node: Node): readonly Step[] {
  const steps: Step[] = [];
  const push = <S extends Step>(step: S): S => {
    if (steps.length >= LONGEST) throw new CannotJudge('the expression is too large');
    steps.push(step);
    return step;
  };

  function write(part: Node): void {
    switch (part.kind) {
      case 'set':
        push({ do: 'eat', has: part.has });
        return;
      case 'assert':
        push({ do: 'assert', at: part.at });
        return;
      case 'sequence':
        for (const one of part.parts) write(one);
        return;
      case 'either':
        writeEither(part.parts);
        return;
      case 'repeat':
        writeRepeat(part);
    }
  }

  function writeEither(parts: readonly Node[]): void {
    const ends: { to: number }[] = [];
    for (const [index, one] of parts.entries()) {
      if (index === parts.length - 1) {
        write(one);
        break;
      }
      const fork = push({ do: 'fork', to: steps.length + 1, or: 0 });
      write(one);
      ends.push(push({ do: 'go', to: 0 }));
      fork.or = steps.length;
    }
    for (const end of ends) end.to = steps.length;
  }

  function writeRepeat({ part, least, most }: Extract<Node, { kind: 'repeat' }>): void {
    for (let times = 0; times < least; times += 1) write(part);
    if (most === Infinity) {
      const start = steps.length;
      const fork = push({ do: 'fork', to: start + 1, or: 0 });
      write(part);
      push({ do: 'go', to: start });
      fork.or = steps.length;
      return;
    }
    const forks: { or: number }[] = [];
    for (let times = least; times < most; times += 1) {
      forks.push(push({ do: 'fork', to: steps.length + 1, or: 0 }));
      write(part);
    }
    for (const fork of forks) fork.or = steps.length;
  }

  write(node);
  push({ do: 'done' });
  return steps;
}
