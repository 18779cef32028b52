import { shown } from './nearest-names.ts';

// oxlint-disable-next-line no-control-regex -- what terminals obey: colours and cursor moves, titles and links
const SEQUENCES = /\x1b\[[0-?]*[ -/]*[@-~]|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)?/g;
/** What is left of them, whatever else a terminal obeys, and what turns the order of letters around. */
const CONTROLS = /[^\P{Cc}\n\t]|[\u202a-\u202e\u2066-\u2069]/gu;

/**
 * A text that others wrote, for a terminal: nothing in it moves the cursor, changes colours, rings the bell or reads
 * otherwise than it is.
 */
export function harmless(text: string): string {
  return text.replaceAll('\r\n', '\n').replace(SEQUENCES, '').replace(CONTROLS, ' ');
}

/** A text that others wrote, for an event: one short line. It may be megabytes long, so it is cut first. */
export function inEvent(text: string, longest?: number): string {
  return shown(text, longest).replace(/\p{C}/gu, '?');
}
