import { canPaste, inShell } from '../../console/client/in-shell.ts';

/**
 * The command that shows a trace. Other programs make up trace ids, too, so an id may be a command of its own; undefined if
 * it does something to a terminal even within quotes.
 */
export const traceCommand = (id: string): string | undefined =>
  canPaste(id) ? `sluice events --trace=${inShell(id)}` : undefined;
