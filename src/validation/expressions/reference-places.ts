import type { NodeReference } from './names.ts';
import { placeIn } from './pieces.ts';
import { pythonReferences } from '../code/python.ts';
import { type CodeText, codeTexts } from './texts.ts';
import type { Subject } from '../subject/subject.ts';

/** A reference to a node in an expression or in code. */
export interface Mention extends Omit<NodeReference, 'start' | 'end'> {
  readonly of: CodeText;
  /** Offsets in the text as the editor shows it. */
  readonly start: number;
  readonly end: number;
}

/** The place of the reference, for a message. */
export const whereIs = ({ of, start }: Mention): string => placeIn(of.text, start);

/** Groups the references by text and node. */
export function grouped(mentions: readonly Mention[]): readonly (readonly [Mention, ...Mention[]])[] {
  const groups = new Map<CodeText, Map<string, [Mention, ...Mention[]]>>();
  for (const mention of mentions) {
    const names = groups.get(mention.of) ?? new Map<string, [Mention, ...Mention[]]>();
    groups.set(mention.of, names);
    const group = names.get(mention.name);
    if (group) group.push(mention);
    else names.set(mention.name, [mention]);
  }
  return [...groups.values()].flatMap((names) => [...names.values()]);
}

export function mentionsOf(subject: Subject): readonly Mention[] {
  let found = known.get(subject);
  if (!found) {
    found = codeTexts(subject).flatMap(mentionsIn);
    known.set(subject, found);
  }
  return found;
}

const known = new WeakMap<Subject, readonly Mention[]>();

function mentionsIn(of: CodeText): Mention[] {
  if (of.language === 'python') {
    if (of.skipped) return [];
    return pythonReferences(of.text).map((one) => ({
      ...one,
      of,
      form: '$' as const,
      member: undefined,
      quoted: true,
      inTry: false,
    }));
  }
  return of.scripts.flatMap(({ names, parsed, start }) =>
    names.references.map((reference) => {
      const shift = start - (parsed.program ? parsed.shift : 0);
      return {
        ...reference,
        of,
        start: reference.start + shift,
        end: reference.end + shift,
      };
    }),
  );
}
