import { cut } from './cut.ts';
import type { GraphNote } from './drawing.ts';

const NOTE_LINE = 16;
const NOTE_CHARACTER = 6.6;

export function Note({ note: { at, wide, tall, text } }: { note: GraphNote }) {
  const lines = wrapped(text, Math.floor((wide - 20) / NOTE_CHARACTER), Math.floor((tall - 12) / NOTE_LINE));
  return (
    <g class="note" transform={`translate(${at.x} ${at.y})`}>
      <title>{cut(text, 500)}</title>
      <rect width={wide} height={tall} rx="8" />
      {lines.map((line, index) => (
        <text key={index} x="10" y={20 + index * NOTE_LINE}>
          {line}
        </text>
      ))}
    </g>
  );
}

/** As many lines of so many characters as fit. */
function wrapped(text: string, wide: number, most: number): string[] {
  const lines: string[] = [];
  for (const paragraph of text.slice(0, 4000).split(/\r?\n/)) {
    let line = '';
    for (const word of paragraph.split(/\s+/)) {
      if (line !== '' && line.length + word.length >= wide) {
        lines.push(line);
        line = '';
      }
      line = cut(line === '' ? word : `${line} ${word}`, Math.max(1, wide));
    }
    lines.push(line);
    if (lines.length > most) break;
  }
  return lines.slice(0, Math.max(0, most));
}
