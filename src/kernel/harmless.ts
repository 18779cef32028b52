import { shown } from './nearest-names.ts';

// oxlint-disable-next-line no-control-regex -- what terminals obey: colours and cursor moves, titles and links
const SEQUENCES = /\x1b\[[0-?]*[ -/]*[@-~]|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)?/g;
/** What is left of the sequences, other control characters, and characters that reverse the reading direction. */
const CONTROLS = /[^\P{Cc}\n\t]|[\u202a-\u202e\u2066-\u2069]/gu;

/**
 * Makes foreign text safe for a terminal: it cannot move the cursor, change colors, ring the bell or change the reading
 * direction.
 */
export function harmless(text: string): string {
  return text.replaceAll('\r\n', '\n').replace(SEQUENCES, '').replace(CONTROLS, ' ');
}

/** Makes foreign text safe for an event: one short line. Cut first, because it may be megabytes long. */
export function inEvent(text: string, longest?: number): string {
  return shown(text, longest).replace(/\p{C}/gu, '?');
}
