import { messageOf } from '../../kernel/errors.ts';
import type { References } from './references.ts';

/** A problem of the configuration and how to fix it. Never contains a configured value. */
export interface Problem {
  /** Dotted path in the file (`mcpServers.remote.url`), or the name of a variable or option. */
  path: string;
  line?: number;
  message: string;
  fix: string;
}

/** All problems of a configuration at once. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
  readonly problems: readonly Problem[];
  readonly file: string | undefined;
  /** What the references of the file stood for, to notice when that changes. */
  readonly references: References | undefined;
  /** Which files to watch for a correction; undefined if that is not known. */
  readonly paths: readonly string[] | undefined;

  constructor(
    problems: readonly Problem[],
    file?: string,
    { references, paths }: { references?: References | undefined; paths?: readonly string[] } = {},
  ) {
    super(`${headline(problems, file)} ${problems.map(oneLine).join(' ')}`);
    this.problems = problems;
    this.file = file;
    this.references = references;
    this.paths = paths;
  }
}

/** The problems, one line each, for logs and events. */
export function problemLines(error: unknown): string[] {
  if (!(error instanceof ConfigError)) return [messageOf(error)];
  const { file } = error;
  return error.problems.map((problem) => (problem.line === undefined && file ? `${file}: ` : '') + oneLine(problem));
}

/** The same as a list, for those who show them in a table. */
export const problemsIn = (error: unknown): readonly Problem[] =>
  error instanceof ConfigError ? error.problems : [{ path: '', message: messageOf(error), fix: '' }];

/** A problem as one line. */
function oneLine({ path, line, message, fix }: Problem): string {
  const where = [path, line === undefined ? '' : `(line ${line})`].filter(Boolean).join(' ');
  return `${where}${where ? ': ' : ''}${message}. ${fix}`;
}

/** The problems as shown on a terminal. */
export function formatProblems(error: ConfigError): string {
  const blocks = error.problems.map(({ path, line, message, fix }) => {
    const where = [line === undefined ? '' : `line ${line}`, path].filter(Boolean).join(', ');
    return `  ${where || 'file'}\n    ${message}\n    ${fix}`;
  });
  return `${headline(error.problems, error.file)}\n\n${blocks.join('\n\n')}\n`;
}

function headline(problems: readonly Problem[], file: string | undefined): string {
  const count = problems.length === 1 ? 'a problem' : `${problems.length} problems`;
  return file === undefined ? `The configuration has ${count}:` : `${file} has ${count}:`;
}
