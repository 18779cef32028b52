import type { State } from './compare.ts';

/** What a command does with a workflow. */
export type Action =
  /** Nothing: both sides are the same. */
  | 'none'
  /** Only note that both sides are the same. */
  | 'note'
  /** Write the file from n8n, or the workflow from the file. */
  | 'create'
  | 'update'
  | 'delete'
  /** Neither side has it any more. */
  | 'forget'
  /** The other command does it. */
  | 'to push'
  | 'to pull'
  | 'conflict';

/** What `pull` does. With `force`, n8n wins. */
export function pullAction(state: State, force: boolean, isInN8n: boolean): Action {
  switch (state) {
    case 'in step':
      return 'none';
    case 'agreed':
      return 'note';
    case 'changed in n8n':
      return 'update';
    case 'only in n8n':
      return 'create';
    case 'deleted in n8n':
      return 'delete';
    case 'deleted on both sides':
      return 'forget';
    case 'only here':
      return 'to push';
    case 'changed here':
      return force ? 'update' : 'to push';
    case 'deleted here':
      return force ? 'create' : 'to push';
    case 'conflict':
      return force ? (isInN8n ? 'update' : 'delete') : 'conflict';
  }
}

export interface PushHow {
  /** The folder wins. */
  readonly force: boolean;
  /** Archive workflows whose files were deleted. */
  readonly archive: boolean;
}

/** What `push` does. */
export function pushAction(state: State, { force, archive }: PushHow, has: { file: boolean; n8n: boolean }): Action {
  switch (state) {
    case 'in step':
    case 'only in n8n':
      return 'none';
    case 'agreed':
      return 'note';
    case 'changed here':
      return 'update';
    case 'only here':
      return 'create';
    case 'deleted here':
      return archive ? 'delete' : 'to push';
    case 'deleted on both sides':
      return 'forget';
    case 'changed in n8n':
      return force ? 'update' : 'to pull';
    case 'deleted in n8n':
      return force ? 'create' : 'to pull';
    case 'conflict':
      if (!force) return 'conflict';
      return has.file ? (has.n8n ? 'update' : 'create') : archive ? 'delete' : 'to push';
  }
}

/** Why it is a conflict, and what to do. */
export function conflictWords(has: { file: boolean; n8n: boolean; base: boolean }): string {
  if (!has.n8n) return 'changed in the file, and deleted or archived in n8n';
  if (!has.file) return 'the file was deleted, and the workflow changed in n8n';
  return has.base ? 'changed in the file and in n8n' : 'the file and n8n have different workflows of this name';
}
