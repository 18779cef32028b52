const resources: ReadonlyMap<string, string> = new Map([
  ['workflows', 'workflow'],
  ['executions', 'execution'],
  ['credentials', 'credential'],
  ['tags', 'tag'],
  ['users', 'user'],
  ['roles', 'role'],
  ['variables', 'variable'],
  ['projects', 'project'],
  ['projects/folders', 'folder'],
  ['data-tables', 'dataTable'],
  ['data-tables/rows', 'dataTableRow'],
  ['data-tables/columns', 'dataTableColumn'],
  ['community-packages', 'communityPackage'],
]);

const verbs: ReadonlyMap<string, string> = new Map([
  ['POST', 'create'],
  ['PUT', 'update'],
  ['PATCH', 'update'],
  ['DELETE', 'delete'],
]);

const steps: ReadonlyMap<string, string> = new Map([
  ['publish', 'activate'],
  ['activate', 'activate'],
  ['unpublish', 'deactivate'],
  ['deactivate', 'deactivate'],
  ['archive', 'delete'],
  ['unarchive', 'delete'],
  ['retry', 'retry'],
  ['stop', 'stop'],
  ['transfer', 'move'],
  ['test', 'read'],
  ['history', 'read'],
  ['versions', 'read'],
]);

/** Calls whose scope does not follow from resource and method. Undefined: more than one scope allows the call. */
const exceptions: readonly (readonly [RegExp, string | undefined])[] = [
  [/^POST audit$/, 'securityAudit:generate'],
  [/^GET insights\/summary$/, 'insights:read'],
  [/^GET source-control\/status$/, 'sourceControl:read'],
  [/^POST source-control\/push$/, 'sourceControl:push'],
  [/^POST source-control\/pull$/, 'sourceControl:pull'],
  [/^POST executions\/stop$/, 'execution:stop'],
  [/^PATCH users\/[^/]+\/role$/, 'user:changeRole'],
  [/^GET projects\/[^/]+\/users$/, 'user:list'],
  [/^[A-Z]+ projects\/[^/]+\/users(?:\/|$)/, 'project:manageMembers'],
  [/^POST community-packages$/, 'communityPackage:install'],
  [/^DELETE community-packages\//, 'communityPackage:uninstall'],
  [/^GET data-tables\/[^/]+\/rows$/, 'dataTableRow:read'],
  [/^POST data-tables\/[^/]+\/rows\/upsert$/, 'dataTableRow:upsert'],
  [/^GET data-tables\/[^/]+\/columns$/, 'dataTableColumn:read'],
  [/^(?:POST|PUT|DELETE) roles(?:\/|$)/, undefined],
  [/^GET credentials\/schema\//, undefined],
];

/** The n8n scope that a call needs; undefined if method and path do not tell. */
export function scopeOf(method: string, path: string): string | undefined {
  const bare = (path.split('?')[0] as string).replace(/^\/api\/v1\//, '');
  const special = exceptions.find(([call]) => call.test(`${method} ${bare}`));
  if (special) return special[1];
  const [resource = '', id, part, inner] = bare.split('/');
  const below = part === undefined ? undefined : resources.get(`${resource}/${part}`);
  if (below !== undefined) return generic(below, method, inner);
  const thing = resources.get(resource);
  if (thing === undefined) return undefined;
  if (part === 'tags') return `${thing}Tags:${method === 'GET' ? 'list' : 'update'}`;
  if (part === undefined) return generic(thing, method, id);
  const step = steps.get(part);
  return step === undefined ? undefined : `${thing}:${step}`;
}

const generic = (thing: string, method: string, id: string | undefined): string =>
  `${thing}:${method === 'GET' ? (id === undefined ? 'list' : 'read') : verbs.get(method)}`;
