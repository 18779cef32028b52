import type { AnyTool } from '../../kernel/tool.ts';
import type { GitHub } from './connection.ts';
import { commitFiles } from './tools/commit-files.ts';
import { compare } from './tools/compare.ts';
import { createBranch } from './tools/create-branch.ts';
import { deleteBranch } from './tools/delete-branch.ts';
import { deleteFile } from './tools/delete-file.ts';
import { getCommit } from './tools/get-commit.ts';
import { getContext } from './tools/get-context.ts';
import { getFile } from './tools/get-file.ts';
import { getRepository } from './tools/get-repository.ts';
import { listBranches } from './tools/list-branches.ts';
import { listCommits } from './tools/list-commits.ts';
import { listRepositories } from './tools/list-repositories.ts';
import { listTags } from './tools/list-tags.ts';
import { listTree } from './tools/list-tree.ts';
import { putFile } from './tools/put-file.ts';
import { searchCode } from './tools/search-code.ts';
import { searchIssues } from './tools/search-issues.ts';
import { searchRepositories } from './tools/search-repositories.ts';
import { workTools } from './work-tools.ts';

export const githubTools: readonly AnyTool<GitHub>[] = [
  getContext,
  listRepositories,
  getRepository,
  listBranches,
  listTags,
  listCommits,
  getCommit,
  compare,
  getFile,
  listTree,
  searchCode,
  searchRepositories,
  searchIssues,
  createBranch,
  putFile,
  commitFiles,
  deleteFile,
  deleteBranch,
  ...workTools,
];
