import { z } from 'zod';
import { isFileName } from './file-names.ts';

/** Beside the workflows: what belongs to one n8n. `.sluice/default.json`, `.sluice/prod.json`. */
export const SIDE_FOLDER = '.sluice';

const hash = z.string().regex(/^[0-9a-f]{32}$/);

const entryShape = z.strictObject({
  /** The workflow in this n8n. */
  id: z.string().min(1).max(100),
  /** Of the file when it was last the same as in n8n. Absent if the last push did not finish. */
  file: hash.optional(),
  /** Of the workflow in n8n at that time. */
  n8n: hash.optional(),
});

const sideShape = z.strictObject({
  /** Files have pinned data, too. */
  pinnedData: z.boolean().optional(),
  workflows: z.record(z.string().refine(isFileName, 'is not the name of a .json file'), entryShape).default({}),
  /** For names that several credentials have: `type/name` to id. */
  credentials: z.record(z.string(), z.string()).optional(),
  /** For names outside of the folder that several workflows have: name to id. */
  named: z.record(z.string(), z.string()).optional(),
});

export type Entry = z.output<typeof entryShape>;

/** What was last in step with one n8n. */
export interface Side {
  readonly pinnedData: boolean;
  readonly workflows: ReadonlyMap<string, Entry>;
  readonly credentials: ReadonlyMap<string, string>;
  readonly named: ReadonlyMap<string, string>;
}

export const emptySide: Side = { pinnedData: false, workflows: new Map(), credentials: new Map(), named: new Map() };

/** Throws with a sentence that says what is wrong. */
export function readSide(text: string): Side {
  const read = sideShape.safeParse(JSON.parse(text));
  if (!read.success) throw new Error(sentenceOf(read.error.issues[0]));
  const { pinnedData = false, workflows, credentials = {}, named = {} } = read.data;
  return {
    pinnedData,
    workflows: new Map(Object.entries(workflows)),
    credentials: new Map(Object.entries(credentials)),
    named: new Map(Object.entries(named)),
  };
}

function sentenceOf(issue: z.core.$ZodIssue | undefined): string {
  const where =
    issue?.path
      .toReversed()
      .map((step) => `"${String(step)}"`)
      .join(' in ') ?? '';
  if (issue?.code === 'unrecognized_keys')
    return `unknown key ${issue.keys.join(', ')}${where === '' ? '' : ` in ${where}`}.`;
  const what = issue?.code === 'invalid_key' ? issue.issues[0]?.message : issue?.message;
  return `${where === '' ? 'the file' : where}: ${what ?? 'is wrong'}.`;
}

/** Sorted and without times, so that git shows only what changed. */
export function sideText({ pinnedData, workflows, credentials, named }: Side): string {
  const entries = (map: ReadonlyMap<string, string>) => Object.fromEntries([...map].sort(byKey));
  const content = {
    ...(pinnedData && { pinnedData }),
    workflows: Object.fromEntries(
      [...workflows].sort(byKey).map(([name, { id, file, n8n }]) => [name, { id, file, n8n }]),
    ),
    ...(credentials.size > 0 && { credentials: entries(credentials) }),
    ...(named.size > 0 && { named: entries(named) }),
  };
  return `${JSON.stringify(content, null, 2)}\n`;
}

const byKey = ([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number => (a < b ? -1 : 1);
