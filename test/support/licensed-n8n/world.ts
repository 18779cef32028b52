const NOW = '2026-11-01T00:00:00.000Z';
const dated = { createdAt: NOW, updatedAt: NOW };

export interface Project {
  readonly id: string;
  name: string;
  readonly type: 'team' | 'personal';
  readonly creatorId: string | null;
  readonly members: Map<string, string>;
}

export interface User {
  readonly id: string;
  readonly email: string;
  readonly firstName: string | null;
  readonly lastName: string | null;
  readonly isPending: boolean;
  role: string;
}

export interface Workflow {
  readonly id: string;
  name: string;
  nodes: unknown[];
  projectId: string;
  parentFolderId: string | null;
  isArchived: boolean;
  active: boolean;
  /** The projects that may use it, besides its own. */
  readonly sharedWith: Set<string>;
}

export interface Credential {
  readonly id: string;
  readonly name: string;
  projectId: string;
}

export interface Folder {
  readonly id: string;
  name: string;
  readonly projectId: string;
  parentFolderId: string | null;
}

export interface Variable {
  readonly id: string;
  key: string;
  value: string;
  projectId: string | undefined;
}

export interface Change {
  readonly id: string;
  readonly name: string;
  readonly type: string;
  readonly status: string;
  readonly conflict: boolean;
}

export type World = ReturnType<typeof createWorld>;

/** An owner with a personal project, and nothing else. */
export function createWorld() {
  let last = 0;
  const world = {
    users: [] as User[],
    projects: [] as Project[],
    workflows: [] as Workflow[],
    credentials: [] as Credential[],
    folders: [] as Folder[],
    variables: [] as Variable[],
    packages: [] as { name: string; version: string }[],
    /** What is in Git and not here, and the other way round. */
    pull: [] as Change[],
    push: [] as Change[],
    commits: [] as { message: string; ids: string[] }[],
    /** Those of the API key. */
    scopes: ['workflow:move', 'project:delete', 'user:delete'],
    id: (kind: string) => `${kind}${++last}`,
    user(email: string, role = 'global:member', name = 'Ada'): User {
      const user = { id: world.id('user'), email, firstName: name, lastName: 'Test', isPending: false, role };
      world.users.push(user);
      world.project(`${name} Test <${email}>`, 'personal', user.id);
      return user;
    },
    project(name: string, type: Project['type'] = 'team', creatorId: string | null = null): Project {
      const project: Project = { id: world.id('project'), name, type, creatorId, members: new Map() };
      world.projects.push(project);
      return project;
    },
    workflow(name: string, projectId: string, nodes: unknown[] = []): Workflow {
      const made: Workflow = {
        id: world.id('workflow'),
        name,
        nodes,
        projectId,
        parentFolderId: null,
        isArchived: false,
        active: false,
        sharedWith: new Set(),
      };
      world.workflows.push(made);
      return made;
    },
    credential(name: string, projectId: string): Credential {
      const made = { id: world.id('credential'), name, projectId };
      world.credentials.push(made);
      return made;
    },
  };
  world.user('owner@example.com', 'global:owner', 'Olga');
  return world;
}

export const projectView = ({ id, name, type, creatorId }: Project) => ({
  id,
  name,
  type,
  icon: null,
  description: null,
  customTelemetryTags: [],
  creatorId,
  ...dated,
});

export const userView = ({ id, email, firstName, lastName, isPending, role }: User) => ({
  id,
  email,
  firstName,
  lastName,
  isPending,
  role,
  mfaEnabled: false,
  ...dated,
});

export const memberView = ({ id, email, firstName, lastName }: User, role: string) => ({
  id,
  email,
  firstName,
  lastName,
  role,
  ...dated,
});

/** A list of the workflows of one project shows only what that project has to do with each. */
export function workflowView({ projects }: World, workflow: Workflow, whole: boolean, within: string | null = null) {
  const { id, name, nodes, projectId, isArchived, active } = workflow;
  const project = projects.find((one) => one.id === projectId) as Project;
  const isBorrowed = within !== null && within !== projectId;
  return {
    id,
    name,
    active,
    activeVersionId: active ? `v-${id}` : null,
    isArchived,
    versionId: `v-${id}`,
    triggerCount: 0,
    nodes,
    connections: {},
    nodeGroups: [],
    settings: {},
    staticData: null,
    pinData: null,
    meta: null,
    tags: [],
    shared: [
      {
        role: isBorrowed ? 'workflow:editor' : 'workflow:owner',
        workflowId: id,
        projectId: isBorrowed ? within : projectId,
        ...(whole && { project: projectView(project) }),
        ...dated,
      },
    ],
    activeVersion: null,
    ...(whole && { description: null, versionCounter: 1, sourceWorkflowId: null }),
    ...dated,
  };
}

export const credentialView = ({ id, name }: Credential) => ({
  id,
  name,
  type: 'httpHeaderAuth',
  isManaged: false,
  isGlobal: false,
  isResolvable: false,
  resolvableAllowFallback: false,
  resolverId: null,
  ...dated,
});

export const listedCredential = ({ projects }: World, { id, name, projectId }: Credential) => ({
  id,
  name,
  type: 'httpHeaderAuth',
  shared: [
    {
      id: projectId,
      name: projects.find((one) => one.id === projectId)?.name ?? '',
      role: 'credential:owner',
      ...dated,
    },
  ],
  ...dated,
});

export const folderView = ({ id, name, parentFolderId }: Folder) => ({ id, name, parentFolderId, ...dated });

export const changeView = (location: 'local' | 'remote', { id, name, type, status, conflict }: Change) => ({
  file: `${type}s/${id}.json`,
  id,
  name,
  type,
  status,
  location,
  conflict,
  updatedAt: NOW,
});

export const variableView = ({ projects }: World, { id, key, value, projectId }: Variable) => {
  const project = projects.find((one) => one.id === projectId);
  return { id, key, value, type: 'string', project: project ? projectView(project) : null };
};

export const packageView = ({ name, version }: { name: string; version: string }) => ({
  packageName: name,
  installedVersion: version,
  authorName: 'Somebody',
  authorEmail: 'somebody@example.com',
  installedNodes: [{ name: 'Thing', type: `${name}.thing`, latestVersion: 1 }],
  ...dated,
});
