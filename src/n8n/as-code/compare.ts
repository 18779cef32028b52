/** What happened to a workflow since the folder and n8n were last in step. */
export type State =
  | 'in step'
  /** Both sides are the same, but nobody has noted it yet. */
  | 'agreed'
  | 'changed in n8n'
  | 'changed here'
  | 'only in n8n'
  | 'only here'
  | 'deleted in n8n'
  | 'deleted here'
  | 'deleted on both sides'
  | 'conflict';

export interface Sides {
  /** When they were last in step. Undefined if they never were. */
  readonly base?: { readonly file?: string | undefined; readonly n8n?: string | undefined } | undefined;
  /** Undefined if there is no file. */
  readonly file?: string | undefined;
  /** Undefined if n8n does not have it. */
  readonly n8n?: string | undefined;
  /** Whether the file has what n8n has. */
  readonly same: boolean;
}

/** The three-way comparison. A change on both sides is a conflict, unless it was the same change. */
export function compared({ base, file, n8n, same }: Sides): State {
  if (file === undefined && n8n === undefined) return 'deleted on both sides';
  const changedHere = file !== base?.file;
  const changedThere = n8n !== base?.n8n;
  if (!base) {
    if (file === undefined) return 'only in n8n';
    if (n8n === undefined) return 'only here';
    return same ? 'agreed' : 'conflict';
  }
  if (file === undefined) return changedThere ? 'conflict' : 'deleted here';
  if (n8n === undefined) return changedHere ? 'conflict' : 'deleted in n8n';
  if (!changedHere && !changedThere) return 'in step';
  if (same) return 'agreed';
  if (changedHere && changedThere) return 'conflict';
  return changedHere ? 'changed here' : 'changed in n8n';
}
