/** Accounts, repositories and commits as GitHub writes them. */
import { fullName, type Repository, type World } from './world.ts';
import { html } from './topic.ts';

const DATE = '2026-01-01T00:00:00Z';

export function userShape(world: World, login: string) {
  const url = `${world.base}/users/${login}`;
  const links = 'followers following gists starred subscriptions organizations repos events received_events'.split(' ');
  return {
    login,
    id: Buffer.from(login).readUIntBE(0, 3),
    node_id: `U_${login}`,
    avatar_url: `https://avatars.githubusercontent.com/${login}`,
    gravatar_id: '',
    url,
    html_url: `https://github.com/${login}`,
    ...Object.fromEntries(links.map((name) => [`${name}_url`, `${url}/${name}`])),
    type: 'User',
    site_admin: false,
    user_view_type: 'public',
  };
}

export function repositoryShape(world: World, repository: Repository) {
  const url = `${world.base}/repos/${fullName(repository)}`;
  const links = [
    'archive assignees blobs branches collaborators comments commits compare contents contributors deployments downloads',
    'events forks git_commits git_refs git_tags hooks issue_comment issue_events issues keys labels languages merges',
    'milestones notifications pulls releases stargazers statuses subscribers subscription tags teams trees',
  ].flatMap((names) => names.split(' '));
  return {
    id: repository.id,
    node_id: `R_${repository.id}`,
    name: repository.name,
    full_name: fullName(repository),
    private: repository.isPrivate,
    owner: userShape(world, repository.owner),
    html_url: html(repository),
    description: repository.description,
    fork: false,
    url,
    ...Object.fromEntries(links.map((name) => [`${name}_url`, `${url}/${name}`])),
    clone_url: `${html(repository)}.git`,
    git_url: `git://github.com/${fullName(repository)}.git`,
    ssh_url: `git@github.com:${fullName(repository)}.git`,
    svn_url: html(repository),
    mirror_url: null,
    homepage: null,
    language: Object.keys(repository.languages)[0] ?? null,
    forks: 2,
    forks_count: 2,
    stargazers_count: 7,
    watchers: 7,
    watchers_count: 7,
    open_issues: 3,
    open_issues_count: 3,
    size: 120,
    default_branch: repository.defaultBranch,
    topics: repository.topics,
    has_issues: true,
    has_projects: true,
    has_wiki: true,
    has_pages: false,
    has_downloads: true,
    has_discussions: false,
    archived: false,
    disabled: false,
    visibility: repository.isPrivate ? 'private' : 'public',
    license: null,
    permissions: { admin: false, maintain: false, push: true, triage: true, pull: true },
    pushed_at: DATE,
    created_at: DATE,
    updated_at: DATE,
  };
}

/** Who committed, and when. */
const signature = (login: string, date: string) => ({ name: login, email: `${login}@example.com`, date });

const verification = { verified: false, reason: 'unsigned', signature: null, payload: null, verified_at: null };

export function commitShape(world: World, repository: Repository, sha: string) {
  const commit = repository.commits.get(sha);
  if (!commit) throw new Error(`No commit ${sha}.`);
  const url = `${world.base}/repos/${fullName(repository)}`;
  const by = signature(commit.login, commit.date);
  return {
    sha,
    node_id: `C_${sha}`,
    url: `${url}/commits/${sha}`,
    html_url: html(repository, `/commit/${sha}`),
    comments_url: `${url}/commits/${sha}/comments`,
    commit: {
      url: `${url}/git/commits/${sha}`,
      author: by,
      committer: by,
      message: commit.message,
      comment_count: 0,
      tree: { sha: commit.tree, url: `${url}/git/trees/${commit.tree}` },
      verification,
    },
    author: userShape(world, commit.login),
    committer: userShape(world, commit.login),
    parents: commit.parents.map((parent) => ({
      sha: parent,
      url: `${url}/commits/${parent}`,
      html_url: html(repository, `/commit/${parent}`),
    })),
  };
}

export const gitCommitShape = (world: World, repository: Repository, sha: string) => {
  const { commit, parents, html_url } = commitShape(world, repository, sha);
  const { comment_count: _, ...rest } = commit;
  return { sha, node_id: `C_${sha}`, ...rest, parents, html_url };
};
