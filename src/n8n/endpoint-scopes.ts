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
  ['role-mapping-rules', 'roleMappingRule'],
  ['promotions/providers', 'gitConnection'],
  ['promotions/connections', 'gitConnection'],
  ['settings/log-streaming/destinations', 'eventBusDestination'],
]);

/** Resources whose names are several parts of a path. */
const GROUPS = /^(?:promotions\/(?:providers|connections)|settings\/log-streaming\/destinations)(?=\/|$)/;

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
  [/^GET workflows\/[^/]+\/test-runs$/, 'testRun:list'],
  [/^POST workflows\/[^/]+\/test-runs$/, 'testRun:create'],
  [/^GET workflows\/[^/]+\/test-runs\//, 'testRun:read'],
  [/^POST workflows\/[^/]+\/test-runs\/[^/]+\/cancel$/, 'testRun:cancel'],
  [/^GET workflows\/[^/]+\/(?!tags$)[^/]+$/, 'workflow:read'],
  [/^POST n8n-packages\/import$/, 'workflow:import'],
  [/^POST role-mapping-rules\/[^/]+\/move$/, 'roleMappingRule:update'],
  [/^[A-Z]+ node-type-policies\//, 'nodeTypePolicy:manage'],
  [/^[A-Z]+ settings\/ldap\/sync$/, 'ldap:sync'],
  [/^[A-Z]+ settings\/ldap$/, 'ldap:manage'],
  [/^[A-Z]+ settings\/security-policy$/, 'securitySettings:manage'],
  [/^[A-Z]+ settings\/otel(?:\/|$)/, 'otel:manage'],
  [/^[A-Z]+ settings\/sso\/oidc$/, 'oidc:manage'],
  [/^[A-Z]+ settings\/sso\/saml$/, 'saml:manage'],
  [/^GET settings\/log-streaming\/event-types$/, 'eventBusDestination:list'],
  [/^POST settings\/log-streaming\/destinations\/[^/]+\/test$/, 'eventBusDestination:test'],
  [/^[A-Z]+ promotions\/connections\/[^/]+\/configs\//, 'gitConnection:update'],
  [/^POST promotions\/connections\/[^/]+\/[^/]+\/(?:clone|disconnect)$/, 'gitConnection:clone'],
  [/^GET promotions\/connections\/[^/]+\/projects$/, 'gitConnection:read'],
  [/^[A-Z]+ promotions\/connections\/[^/]+\/projects\//, 'gitConnection:manageProjects'],
  [/^POST promotions\/connections\/[^/]+\/promote$/, 'gitConnection:push'],
  [/^POST promotions\/connections\/[^/]+\/apply(?:\/continue)?$/, 'gitConnection:pull'],
];

/** The n8n scope that a call needs; undefined if method and path do not tell. */
export function scopeOf(method: string, path: string): string | undefined {
  const bare = (path.split('?')[0] as string).replace(/^\/api\/v1\//, '');
  const special = exceptions.find(([call]) => call.test(`${method} ${bare}`));
  if (special) return special[1];
  const group = GROUPS.exec(bare)?.[0];
  const [first = '', id, part, inner] = (group === undefined ? bare : bare.slice(group.length)).split('/');
  const resource = group ?? first;
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
