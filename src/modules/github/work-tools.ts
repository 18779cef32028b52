import type { AnyTool } from '../../kernel/tool.ts';
import type { GitHub } from './connection.ts';
import { addComment } from './tools/add-comment.ts';
import { approvePull } from './tools/approve-pull.ts';
import { cancelRun } from './tools/cancel-run.ts';
import { createIssue } from './tools/create-issue.ts';
import { createPull } from './tools/create-pull.ts';
import { createRelease } from './tools/create-release.ts';
import { createReview } from './tools/create-review.ts';
import { deleteRelease } from './tools/delete-release.ts';
import { dispatchWorkflow } from './tools/dispatch-workflow.ts';
import { getComment } from './tools/get-comment.ts';
import { getIssue } from './tools/get-issue.ts';
import { getJobLog } from './tools/get-job-log.ts';
import { getPull } from './tools/get-pull.ts';
import { getPullDiff } from './tools/get-pull-diff.ts';
import { getRelease } from './tools/get-release.ts';
import { getRun } from './tools/get-run.ts';
import { listChecks } from './tools/list-checks.ts';
import { listIssues } from './tools/list-issues.ts';
import { listLabels } from './tools/list-labels.ts';
import { listMilestones } from './tools/list-milestones.ts';
import { listPullFiles } from './tools/list-pull-files.ts';
import { listPulls } from './tools/list-pulls.ts';
import { listReleases } from './tools/list-releases.ts';
import { listReviewComments } from './tools/list-review-comments.ts';
import { listReviews } from './tools/list-reviews.ts';
import { listRuns } from './tools/list-runs.ts';
import { listWorkflows } from './tools/list-workflows.ts';
import { mergePull } from './tools/merge-pull.ts';
import { publishRelease } from './tools/publish-release.ts';
import { requestReviewers } from './tools/request-reviewers.ts';
import { rerunRun } from './tools/rerun-run.ts';
import { updateIssue } from './tools/update-issue.ts';
import { updatePull } from './tools/update-pull.ts';
import { updatePullBranch } from './tools/update-pull-branch.ts';
import { updateRelease } from './tools/update-release.ts';

/** Issues, pull requests, actions and releases. */
export const workTools: readonly AnyTool<GitHub>[] = [
  listIssues,
  getIssue,
  getComment,
  createIssue,
  updateIssue,
  addComment,
  listLabels,
  listMilestones,
  listPulls,
  getPull,
  getPullDiff,
  listPullFiles,
  listReviews,
  listReviewComments,
  createPull,
  updatePull,
  createReview,
  approvePull,
  requestReviewers,
  mergePull,
  updatePullBranch,
  listChecks,
  listWorkflows,
  listRuns,
  getRun,
  getJobLog,
  rerunRun,
  cancelRun,
  dispatchWorkflow,
  listReleases,
  getRelease,
  createRelease,
  updateRelease,
  publishRelease,
  deleteRelease,
];
