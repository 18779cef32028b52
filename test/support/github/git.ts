/** Git's objects: references, blobs, trees and commits. */
import { needCommit } from './commits.ts';
import { gitCommitShape } from './shapes.ts';
import { type Asked, Refusal, repositoryIn, type Topic, writableIn } from './topic.ts';
import { addBlob, addCommit, addTree, type Entry, filesAt, fullName, historyOf, type Repository } from './world.ts';

interface TreeItem {
  readonly path: string;
  readonly mode: Entry['mode'];
  readonly type: string;
  readonly sha?: string | null;
  readonly content?: string;
}

export const git: Topic = (world) => {
  const refShape = (repository: Repository, ref: string, sha: string) => {
    const url = `${world.base}/repos/${fullName(repository)}/git`;
    return {
      ref,
      node_id: `REF_${ref}`,
      url: `${url}/${ref}`,
      object: { sha, type: 'commit', url: `${url}/commits/${sha}` },
    };
  };
  /** Branches and tags are kept apart. */
  const place = (repository: Repository, ref: string) => {
    const [, kind, name] = /^(?:refs\/)?(heads|tags)\/(.+)$/.exec(ref) ?? [];
    if (name === undefined) throw new Refusal(422, 'Reference name is not valid');
    return { refs: kind === 'heads' ? repository.branches : repository.tags, name, full: `refs/${kind}/${name}` };
  };
  const needObject = (found: unknown, sha: string) => {
    if (found === undefined)
      throw new Refusal(422, 'Object does not exist', {
        errors: [{ resource: 'Reference', code: 'missing', value: sha }],
      });
  };

  function treeOf(asked: Asked) {
    const repository = repositoryIn(world, asked);
    const given = String(asked.params.tree_sha);
    const tree = repository.trees.get(given) ?? filesAt(repository, needCommit(repository, given));
    const isDeep = asked.query.has('recursive');
    const items = new Map<string, object>();
    for (const [path, { mode, sha }] of tree) {
      const parts = path.split('/');
      for (let depth = 1; depth < parts.length; depth += 1) {
        const folder = parts.slice(0, depth).join('/');
        if (isDeep || depth === 1)
          items.set(folder, {
            path: folder,
            mode: '040000',
            type: 'tree',
            sha: 'd'.repeat(40),
            url: `${world.base}/t`,
          });
      }
      const isModule = mode === '160000';
      if (isDeep || parts.length === 1)
        items.set(path, {
          path,
          mode,
          type: isModule ? 'commit' : 'blob',
          sha,
          ...(!isModule && { size: repository.blobs.get(sha)?.length ?? 0, url: `${world.base}/b` }),
        });
    }
    return { body: { sha: given, url: `${world.base}/tree`, tree: [...items.values()], truncated: false } };
  }

  return {
    'GET /repos/{owner}/{repo}/git/trees/{tree_sha}': treeOf,
    'GET /repos/{owner}/{repo}/git/ref/{ref}'(asked) {
      const repository = repositoryIn(world, asked);
      if (repository.commits.size === 0) throw new Refusal(409, 'Git Repository is empty.');
      const { refs, name, full } = place(repository, String(asked.params.ref));
      const sha = refs.get(name);
      if (sha === undefined) throw new Refusal(404, 'Not Found');
      return { body: refShape(repository, full, sha) };
    },
    'GET /repos/{owner}/{repo}/git/commits/{commit_sha}'(asked) {
      const repository = repositoryIn(world, asked);
      const sha = String(asked.params.commit_sha);
      if (!repository.commits.has(sha)) throw new Refusal(404, 'Not Found');
      return { body: gitCommitShape(world, repository, sha) };
    },
    'POST /repos/{owner}/{repo}/git/refs'(asked) {
      const repository = writableIn(world, asked);
      const { ref, sha } = asked.body as { ref: string; sha: string };
      const { refs, name, full } = place(repository, ref);
      needObject(repository.commits.get(sha), sha);
      if (refs.has(name)) throw new Refusal(422, 'Reference already exists');
      refs.set(name, sha);
      return { status: 201, body: refShape(repository, full, sha) };
    },
    'PATCH /repos/{owner}/{repo}/git/refs/{ref}'(asked) {
      const repository = writableIn(world, asked);
      const { sha, force = false } = asked.body as { sha: string; force?: boolean };
      const { refs, name, full } = place(repository, String(asked.params.ref));
      const old = refs.get(name);
      if (old === undefined) throw new Refusal(422, 'Reference does not exist');
      needObject(repository.commits.get(sha), sha);
      if (!force && !historyOf(repository, sha).includes(old)) throw new Refusal(422, 'Update is not a fast forward');
      refs.set(name, sha);
      return { body: refShape(repository, full, sha) };
    },
    'DELETE /repos/{owner}/{repo}/git/refs/{ref}'(asked) {
      const repository = writableIn(world, asked);
      const { refs, name } = place(repository, String(asked.params.ref));
      if (!refs.delete(name)) throw new Refusal(422, 'Reference does not exist');
      return { status: 204 };
    },
    'POST /repos/{owner}/{repo}/git/blobs'(asked) {
      const repository = writableIn(world, asked);
      const { content, encoding = 'utf-8' } = asked.body as { content: string; encoding?: string };
      const sha = addBlob(repository, Buffer.from(content, encoding === 'base64' ? 'base64' : 'utf8'));
      return { status: 201, body: { sha, url: `${world.base}/repos/${fullName(repository)}/git/blobs/${sha}` } };
    },
    'POST /repos/{owner}/{repo}/git/trees'(asked) {
      const repository = writableIn(world, asked);
      const { tree, base_tree } = asked.body as { tree: readonly TreeItem[]; base_tree?: string };
      const base = base_tree === undefined ? new Map() : repository.trees.get(base_tree);
      if (!base) throw new Refusal(422, 'base_tree is not a valid tree oid');
      const files = new Map<string, Entry>(base);
      for (const { path, mode, sha, content } of tree) {
        if (sha === null) {
          if (!files.delete(path)) throw new Refusal(422, 'GitRPC::BadObjectState');
        } else {
          const blob = content === undefined ? String(sha) : addBlob(repository, Buffer.from(content));
          needObject(repository.blobs.get(blob), blob);
          files.set(path, { mode, sha: blob });
        }
      }
      const sha = addTree(repository, files);
      return { status: 201, body: { sha, url: `${world.base}/tree`, tree: [], truncated: false } };
    },
    'POST /repos/{owner}/{repo}/git/commits'(asked) {
      const repository = writableIn(world, asked);
      const { message, tree, parents = [] } = asked.body as { message: string; tree: string; parents?: string[] };
      needObject(repository.trees.get(tree), tree);
      for (const parent of parents) needObject(repository.commits.get(parent), parent);
      const sha = addCommit(repository, { tree, parents, message, login: String(asked.login), date: world.now() });
      return { status: 201, body: gitCommitShape(world, repository, sha) };
    },
  };
};
