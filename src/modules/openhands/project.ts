import type { Conversation } from './answers.ts';

/** Where a conversation's files are: below the workspace, in a folder named after its repository. */
export function projectOf(
  workspace: string,
  { selected_repository }: Pick<Conversation, 'selected_repository'>,
): string {
  const name = selected_repository?.split('/').at(-1);
  return name ? `${workspace}/${name}` : workspace;
}

/** A path that is relative belongs to the project. */
export const inProject = (project: string, path: string): string =>
  path.startsWith('/') ? path : `${project}/${path.replace(/^\.\//, '')}`;
