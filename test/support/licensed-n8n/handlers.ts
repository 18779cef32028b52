import {
  changeView,
  credentialView,
  folderView,
  type Folder,
  listedCredential,
  memberView,
  packageView,
  projectView,
  userView,
  variableView,
  type User,
  workflowView,
  type World,
} from './world.ts';

export interface Handled {
  readonly status: number;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

interface Request {
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  readonly body: unknown;
}

type Handler = (request: Request) => Handled;

const ok = (body: unknown, status = 200): Handled => ({ status, body });
const done: Handled = { status: 204 };
const missing = (message = 'Not Found'): Handled => ({ status: 404, body: { message } });
const refused = (status: number, message: string): Handled => ({ status, body: { message } });

/** Pages by position, as n8n does. Its cursors are opaque. */
function paged(items: readonly unknown[], query: URLSearchParams): Handled {
  const offset = Number(query.get('cursor') ?? 0);
  const next = offset + Number(query.get('limit') ?? 100);
  return ok({ data: items.slice(offset, next), nextCursor: next < items.length ? String(next) : null });
}

/** By `METHOD /template`, as n8n's description has them. */
export function handlersOf(world: World): ReadonlyMap<string, Handler> {
  const handlers = new Map<string, Handler>();
  const on = (key: string, handler: Handler) => void handlers.set(key, handler);
  const byId = <T extends { readonly id: string }>(all: readonly T[], id: string | undefined) =>
    all.find((one) => one.id === id);
  const drop = <T>(all: T[], one: T) => void all.splice(all.indexOf(one), 1);

  on('GET /projects', ({ query }) => paged(world.projects.map(projectView), query));
  on('POST /projects', ({ body }) => {
    const project = world.project((body as { name: string }).name);
    return ok({ ...projectView(project), role: 'project:admin', scopes: [] }, 201);
  });
  on('PUT /projects/{projectId}', ({ params, body }) => {
    const project = byId(world.projects, params.projectId);
    if (!project) return missing();
    project.name = (body as { name: string }).name;
    return done;
  });
  on('DELETE /projects/{projectId}', ({ params }) => {
    const project = byId(world.projects, params.projectId);
    if (!project) return missing();
    if (world.workflows.some((one) => one.projectId === project.id && one.active))
      return refused(409, 'Cannot delete a published workflow');
    world.workflows = world.workflows.filter((one) => one.projectId !== project.id);
    world.credentials = world.credentials.filter((one) => one.projectId !== project.id);
    drop(world.projects, project);
    return done;
  });
  on('GET /projects/{projectId}/users', ({ params, query }) => {
    const project = byId(world.projects, params.projectId);
    if (!project) return missing();
    const members = [...project.members].map(([id, role]) => memberView(byId(world.users, id) as User, role));
    return paged(members, query);
  });
  on('POST /projects/{projectId}/users', ({ params, body }) => {
    const { relations } = body as { relations: { userId: string; role: string }[] };
    const unknown = relations.find(({ role }) => !/^project:(admin|editor|viewer)$/.test(role));
    if (unknown) return refused(400, `Role ${unknown.role} does not exist`);
    for (const { userId, role } of relations) byId(world.projects, params.projectId)?.members.set(userId, role);
    return { status: 201 };
  });
  on('DELETE /projects/{projectId}/users/{userId}', ({ params }) => {
    byId(world.projects, params.projectId)?.members.delete(params.userId as string);
    return done;
  });

  const foldersIn = (project: string | undefined) => world.folders.filter(({ projectId }) => projectId === project);
  const below = (folder: Folder): Folder[] =>
    world.folders
      .filter(({ parentFolderId }) => parentFolderId === folder.id)
      .flatMap((child) => [child, ...below(child)]);
  on('GET /projects/{projectId}/folders', ({ params, query }) => {
    const all = foldersIn(params.projectId);
    const skip = Number(query.get('skip') ?? 0);
    const data = all.slice(skip, skip + Number(query.get('take') ?? 10)).map((folder) => {
      const parent = byId(world.folders, folder.parentFolderId ?? undefined);
      return {
        id: folder.id,
        name: folder.name,
        parentFolder: parent ? { id: parent.id, name: parent.name, parentFolderId: parent.parentFolderId } : null,
        workflowCount: world.workflows.filter(({ parentFolderId }) => parentFolderId === folder.id).length,
        subFolderCount: below(folder).length,
      };
    });
    return ok({ count: all.length, data });
  });
  on('GET /projects/{projectId}/folders/{folderId}', ({ params }) => {
    const folder = byId(foldersIn(params.projectId), params.folderId);
    if (!folder) return missing(`Could not find the folder: ${params.folderId}`);
    const inside = new Set([folder, ...below(folder)].map(({ id }) => id));
    const held = world.workflows.filter(({ parentFolderId }) => inside.has(parentFolderId ?? ''));
    return ok({ ...folderView(folder), totalSubFolders: inside.size - 1, totalWorkflows: held.length });
  });
  on('POST /projects/{projectId}/folders', ({ params, body }) => {
    const { name, parentFolderId = null } = body as { name: string; parentFolderId?: string };
    const folder = { id: world.id('folder'), name, projectId: params.projectId as string, parentFolderId };
    world.folders.push(folder);
    return ok(folderView(folder), 201);
  });
  on('PATCH /projects/{projectId}/folders/{folderId}', ({ params, body }) => {
    const folder = byId(foldersIn(params.projectId), params.folderId);
    if (!folder) return missing();
    const { name, parentFolderId } = body as { name?: string; parentFolderId?: string };
    if (name !== undefined) folder.name = name;
    if (parentFolderId !== undefined) folder.parentFolderId = parentFolderId === '0' ? null : parentFolderId;
    return ok(folderView(folder));
  });
  on('DELETE /projects/{projectId}/folders/{folderId}', ({ params, query }) => {
    const folder = byId(foldersIn(params.projectId), params.folderId);
    if (!folder) return missing();
    const into = query.get('transferToFolderId');
    for (const workflow of world.workflows.filter(({ parentFolderId }) => parentFolderId === folder.id)) {
      workflow.parentFolderId = into === '0' ? null : into;
      if (into === null) workflow.isArchived = true;
    }
    drop(world.folders, folder);
    return done;
  });

  on('GET /variables', ({ query }) =>
    paged(
      world.variables.map((one) => variableView(world, one)),
      query,
    ),
  );
  on('POST /variables', ({ body }) => {
    const { key, value, projectId } = body as { key: string; value: string; projectId?: string };
    world.variables.push({ id: world.id('variable'), key, value, projectId });
    return { status: 201 };
  });
  on('PUT /variables/{id}', ({ params, body }) => {
    const variable = byId(world.variables, params.id);
    if (!variable) return missing();
    Object.assign(variable, body);
    return done;
  });
  on('DELETE /variables/{id}', ({ params }) => {
    const variable = byId(world.variables, params.id);
    if (!variable) return missing();
    drop(world.variables, variable);
    return done;
  });

  on('GET /users', ({ query }) => paged(world.users.map(userView), query));
  on('PATCH /users/{id}/role', ({ params, body }) => {
    const user = byId(world.users, params.id);
    if (!user) return missing();
    user.role = (body as { newRoleName: string }).newRoleName;
    return done;
  });

  on('DELETE /users/{id}', ({ params }) => {
    const user = byId(world.users, params.id);
    if (!user) return missing();
    const own = world.projects.find(({ type, creatorId }) => type === 'personal' && creatorId === user.id);
    world.workflows = world.workflows.filter((one) => one.projectId !== own?.id);
    world.projects = world.projects.filter((one) => one !== own);
    drop(world.users, user);
    return done;
  });

  on('GET /workflows', ({ query }) => {
    const project = query.get('projectId');
    const wanted = world.workflows.filter(
      (one) => project === null || one.projectId === project || one.sharedWith.has(project),
    );
    return paged(
      wanted.map((one) => workflowView(world, one, false, project)),
      query,
    );
  });
  on('GET /workflows/{workflowId}', ({ params }) => {
    const workflow = byId(world.workflows, params.workflowId);
    return workflow ? ok(workflowView(world, workflow, true)) : missing();
  });
  on('PUT /workflows/{workflowId}', ({ params, body }) => {
    const workflow = byId(world.workflows, params.workflowId);
    if (!workflow) return missing();
    const { parentFolderId } = body as { parentFolderId?: string | null };
    if (parentFolderId !== undefined) workflow.parentFolderId = parentFolderId;
    return ok(workflowView(world, workflow, true));
  });
  on('PUT /workflows/{workflowId}/transfer', ({ params, body }) => {
    const workflow = byId(world.workflows, params.workflowId);
    if (!workflow) return missing();
    workflow.projectId = (body as { destinationProjectId: string }).destinationProjectId;
    workflow.parentFolderId = null;
    return done;
  });
  for (const [verb, active] of [
    ['publish', true],
    ['unpublish', false],
  ] as const)
    on(`POST /workflows/{workflowId}/${verb}`, ({ params }) => {
      const workflow = byId(world.workflows, params.workflowId);
      if (!workflow) return missing();
      workflow.active = active;
      return ok(workflowView(world, workflow, true));
    });
  on('GET /credentials', ({ query }) =>
    paged(
      world.credentials.map((one) => listedCredential(world, one)),
      query,
    ),
  );
  on('GET /credentials/{credentialId}', ({ params }) => {
    const credential = byId(world.credentials, params.credentialId);
    return credential ? ok(credentialView(credential)) : missing();
  });
  on('PUT /credentials/{credentialId}/transfer', ({ params, body }) => {
    const credential = byId(world.credentials, params.credentialId);
    if (!credential) return missing();
    credential.projectId = (body as { destinationProjectId: string }).destinationProjectId;
    return done;
  });
  on('GET /discover', () => ok({ data: { scopes: world.scopes, resources: {} } }));
  on('GET /data-tables', ({ query }) => paged([], query));

  on('GET /source-control/status', ({ query }) => {
    const isPush = query.get('direction') === 'push';
    const changes = isPush ? world.push : world.pull;
    return ok({ data: changes.map((one) => changeView(isPush ? 'local' : 'remote', one)) });
  });
  on('POST /source-control/pull', ({ body }) => {
    const changes = world.pull.map((one) => changeView('remote', one));
    const isBlocked = world.pull.some(({ conflict, status }) => conflict || status === 'modified');
    if (isBlocked && (body as { force?: boolean }).force !== true) return ok(changes, 409);
    world.pull = [];
    return ok(changes);
  });
  on('POST /source-control/push', ({ body }) => {
    const { commitMessage, fileNames, force } = body as {
      commitMessage: string;
      fileNames: { id: string }[];
      force?: boolean;
    };
    const chosen = world.push.filter(({ id }) => fileNames.some((one) => one.id === id));
    const conflicts = chosen.filter(({ conflict }) => conflict).map((one) => changeView('local', one));
    if (conflicts.length > 0 && !force) return ok({ message: 'Push blocked by conflicting files.', conflicts }, 409);
    world.commits.push({ message: commitMessage, ids: chosen.map(({ id }) => id) });
    world.push = world.push.filter((one) => !chosen.includes(one));
    return ok({ data: chosen.map((one) => ({ ...changeView('local', one), pushed: true })) });
  });

  on('GET /community-packages', () => ok(world.packages.map(packageView)));
  on('POST /community-packages', ({ body }) => {
    const { name, version = '2.0.0', verify = true } = body as { name: string; version?: string; verify?: boolean };
    if (verify) return refused(400, `Package ${name} is not vetted for installation`);
    world.packages.push({ name, version });
    return ok(packageView({ name, version }));
  });
  on('PATCH /community-packages/{name}', ({ params, body }) => {
    const found = world.packages.find(({ name }) => name === params.name);
    if (!found) return missing('This package is not installed - you must install it first');
    found.version = (body as { version?: string }).version ?? '2.0.0';
    return ok(packageView(found));
  });
  on('DELETE /community-packages/{name}', ({ params }) => {
    const found = world.packages.find(({ name }) => name === params.name);
    if (!found) return missing('This package is not installed - you must install it first');
    drop(world.packages, found);
    return done;
  });
  return handlers;
}

/** The part of n8n's internal API that Sluice uses for transfers. It is not described. */
export function internalHandlers(world: World) {
  return (method: string, path: string, query: URLSearchParams): Handled => {
    if (method === 'POST' && path === '/rest/login')
      return { status: 200, body: { data: {} }, headers: { 'set-cookie': 'n8n-auth=x; Path=/' } };
    const [, id] = /^\/rest\/projects\/([^/]+)$/.exec(path) ?? [];
    const target = query.get('transferId');
    if (method !== 'DELETE' || id === undefined || target === null) return missing();
    for (const one of [...world.workflows, ...world.credentials]) if (one.projectId === id) one.projectId = target;
    world.projects = world.projects.filter((one) => one.id !== id);
    return ok({ data: true });
  };
}
