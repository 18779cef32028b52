import { AppError } from '../../../kernel/errors.ts';
import { isEverything } from './everything.ts';
import type { Node, Statement } from './parse.ts';
import { needNoDenied, worded } from './read-only.ts';
import { type Name, nameOf, nodesOf, type Touched, touchedBy } from './touched.ts';

/** A statement that may change something, judged by its text. */
export interface Execution {
  readonly statement: Statement;
  readonly touched: Touched;
  /** What it is, as somebody would write it: `INSERT`, `DROP TABLE`. */
  readonly command: string;
  /** What it would destroy, as phrases: `deletes rows of orders`. Empty if it needs no confirmation. */
  readonly destroys: readonly string[];
  /** Objects that it removes. */
  readonly drops: readonly Dropped[];
  /** Schemas that it creates, changes or removes. */
  readonly schemas: readonly string[];
  /** Tables that it empties. */
  readonly empties: readonly Name[];
  /** Whether it creates something without saying in which schema. */
  readonly createsAnywhere: boolean;
  /** Whether it must run outside of a transaction. */
  readonly alone: boolean;
  /** Whether its plan can be asked for. */
  readonly isPlanned: boolean;
  readonly extension?: string;
}

export interface Dropped {
  readonly what: string;
  readonly name: Name;
  /** Of a trigger, rule or policy. */
  readonly table?: Name;
}

/** What may be run. Everything else is refused, so also what later versions add. */
const ALLOWED = new Set(
  `SelectStmt InsertStmt UpdateStmt DeleteStmt MergeStmt TruncateStmt DropStmt CallStmt NotifyStmt
  CreateStmt CreateTableAsStmt ViewStmt IndexStmt CreateSchemaStmt CreateSeqStmt AlterSeqStmt CreateEnumStmt
  AlterEnumStmt CompositeTypeStmt CreateDomainStmt AlterDomainStmt CreateRangeStmt CreateStatsStmt AlterStatsStmt
  AlterTableStmt AlterTypeStmt RenameStmt AlterObjectSchemaStmt CommentStmt RefreshMatViewStmt CreateTrigStmt
  CreateFunctionStmt AlterFunctionStmt CreatePolicyStmt AlterPolicyStmt CreateExtensionStmt GrantStmt VacuumStmt
  ReindexStmt ClusterStmt`.split(/\s+/),
);

/** Why some are refused, and what to do instead. */
const INSTEAD = new Map([
  ['CopyStmt', 'COPY reads and writes files and programs of the server. Use INSERT, or postgres_query to read.'],
  ['DoStmt', 'What the code of DO does cannot be judged. Send its statements one by one.'],
  ['TransactionStmt', 'Every call is a transaction of its own. Combine what belongs together with WITH.'],
  ['VariableSetStmt', 'SET would last for this call only. Set it for the role or the database as an administrator.'],
  ['VariableShowStmt', 'Use postgres_query for it.'],
  ['ExplainStmt', 'Use postgres_explain_query for it.'],
  ['PrepareStmt', 'Send the statement itself, with params.'],
  ['ExecuteStmt', 'Send the statement itself, with params.'],
  ['LockStmt', 'A lock would end with this call.'],
]);

export function executionOf(statement: Statement): Execution {
  const { kind, node } = statement;
  const reason = INSTEAD.get(kind);
  if (!ALLOWED.has(kind) || reason !== undefined)
    throw new AppError(
      'forbidden',
      `${worded(kind)} is not allowed here. ${reason ?? 'It concerns the whole server, its roles or its files: an administrator does it with psql.'} Nothing was run.`,
    );
  const tree = { [kind]: node };
  const touched = touchedBy(tree);
  needNoDenied(touched);
  needKnown(touched);
  const drops = dropsOf(kind, node);
  return {
    statement,
    touched: { ...touched, relations: [...touched.relations, ...drops.flatMap(relationsOf)] },
    command: commandOf(kind, node),
    destroys: [...destroyedBy(tree)],
    drops,
    schemas: schemasOf(kind, node),
    empties: kind === 'TruncateStmt' ? touched.relations : [],
    createsAnywhere: createsAnywhere(kind, node),
    alone: isAlone(kind, node),
    isPlanned: /^(?:Select|Insert|Update|Delete|Merge)Stmt$/.test(kind),
    ...(typeof node.extname === 'string' && { extension: node.extname }),
  };
}

/** A statement inside another, such as COPY in a rule, is judged like one that stands alone. */
function needKnown({ kinds }: Touched): void {
  for (const kind of kinds)
    if (kind.endsWith('Stmt') && !ALLOWED.has(kind))
      throw new AppError('forbidden', `${worded(kind)} is not allowed here. Nothing was run.`);
}

const optionsIn = (options: unknown): Map<string, string> =>
  new Map(
    (Array.isArray(options) ? options : []).flatMap((option: { DefElem?: { defname?: string; arg?: unknown } }) => {
      const { defname, arg } = option.DefElem ?? {};
      if (defname === undefined) return [];
      const said = arg as { String?: { sval?: string }; Boolean?: { boolval?: boolean } } | undefined;
      return [[defname, said?.String?.sval ?? String(said?.Boolean?.boolval ?? '')] as const];
    }),
  );

function commandOf(kind: string, { removeType, objtype, renameType, objectType }: Node): string {
  const what = [removeType, renameType, objtype, objectType].find((one) => typeof one === 'string');
  if (kind === 'DropStmt') return `DROP ${objectWords(what as string)}`;
  if (kind === 'AlterTableStmt') return `ALTER ${objectWords(what as string)}`;
  return worded(kind);
}

/** `OBJECT_MATVIEW` as somebody would write it. */
const objectWords = (type: string): string =>
  type
    .replace(/^OBJECT_/, '')
    .replace('MATVIEW', 'MATERIALIZED VIEW')
    .replaceAll('_', ' ');

/** What confirmation is asked for, wherever in the statement it is. */
function* destroyedBy(tree: unknown): Generator<string> {
  const said = new Set<string>();
  for (const [kind, node] of nodesOf(tree)) {
    for (const phrase of destruction(kind, node)) {
      if (said.has(phrase)) continue;
      said.add(phrase);
      yield phrase;
    }
  }
}

function destruction(kind: string, node: Node): string[] {
  const cascade = node.behavior === 'DROP_CASCADE' ? [' and everything that depends on it'] : [];
  switch (kind) {
    case 'DeleteStmt':
      return [`deletes ${isEverything(node.whereClause) ? 'all rows' : 'rows'} of ${relationOf(node)}`];
    case 'UpdateStmt':
      return isEverything(node.whereClause) ? [`changes all rows of ${relationOf(node)}`] : [];
    case 'MergeStmt':
      return merged(node);
    case 'TruncateStmt':
      return [`empties ${listed(touchedBy(node.relations).relations.map(written))}${cascade.join('')}`];
    case 'DropStmt': {
      const names = dropsOf(kind, node).map(({ name }) => written(name));
      return [`drops the ${objectWords(String(node.removeType)).toLowerCase()} ${listed(names)}${cascade.join('')}`];
    }
    case 'AlterTableCmd':
      return altered(node).map((phrase) => `${phrase}${cascade.join('')}`);
    case 'AlterDomainStmt':
      return node.subtype === 'AD_DropConstraint' || node.subtype === 'X'
        ? [`drops the constraint ${String(node.name)} of a domain`]
        : [];
    case 'CreateFunctionStmt':
    case 'AlterFunctionStmt':
      return optionsIn(node.options ?? node.actions).get('security') === 'true'
        ? ['lets others run a function with the rights of its owner']
        : [];
    case 'GrantStmt':
      return [node.is_grant === true ? 'gives rights to others' : 'takes rights from others'];
    default:
      return [];
  }
}

function merged(node: Node): string[] {
  const commands = JSON.stringify(node.mergeWhenClauses ?? '');
  return [
    ...(commands.includes('"CMD_DELETE"') ? [`deletes rows of ${relationOf(node)} with MERGE`] : []),
    ...(commands.includes('"CMD_UPDATE"') ? [`changes rows of ${relationOf(node)} with MERGE`] : []),
  ];
}

const ALTERATIONS = new Map([
  ['AT_DropColumn', 'drops the column'],
  ['AT_DropConstraint', 'drops the constraint'],
  ['AT_AlterColumnType', 'converts all values of the column'],
  ['AT_DetachPartition', 'detaches a partition'],
  ['AT_DisableRowSecurity', 'switches row security off'],
  ['AT_NoForceRowSecurity', 'switches row security off for the owner'],
  ['AT_ChangeOwner', 'gives the table to another owner'],
]);

function altered({ subtype, name }: Node): string[] {
  const of = typeof name === 'string' ? ` ${name}` : '';
  const phrase = ALTERATIONS.get(String(subtype));
  if (phrase !== undefined) return [`${phrase}${of}`];
  return String(subtype).startsWith('AT_DisableTrig') || String(subtype) === 'AT_DisableRule'
    ? [`switches triggers or rules off${of}`]
    : [];
}

const relationOf = ({ relation }: Node): string => {
  const { schemaname, relname } = (relation ?? {}) as { schemaname?: string; relname?: string };
  return written({ schema: schemaname, name: relname ?? 'a table' });
};

const written = ({ schema, name }: Name): string => (schema === undefined ? name : `${schema}.${name}`);

export const listed = (names: readonly string[]): string =>
  names.length > 5 ? `${names.slice(0, 5).join(', ')} and ${names.length - 5} more` : names.join(', ');

function dropsOf(kind: string, { objects, removeType }: Node): Dropped[] {
  if (kind !== 'DropStmt' || !Array.isArray(objects)) return [];
  const what = objectWords(String(removeType)).toLowerCase();
  return objects.map((object: Node) => {
    const { items } = (object.List ?? {}) as { items?: unknown[] };
    const { names } = (object.TypeName ?? {}) as { names?: unknown[] };
    const { objname } = (object.ObjectWithArgs ?? {}) as { objname?: unknown[] };
    const parts = items ?? names ?? objname ?? [object];
    // Triggers, rules and policies stand behind their table.
    const isOfTable = /^(?:trigger|rule|policy)$/.test(what);
    const name = nameOf(parts);
    if (!isOfTable) return { what, name };
    const table = nameOf(parts.slice(0, -1));
    return { what, table, name: { schema: undefined, name: `${name.name} on ${written(table)}` } };
  });
}

/** The table, view, sequence or index that goes, or the table whose trigger goes. */
const relationsOf = ({ what, name, table }: Dropped): Name[] => {
  if (table) return [table];
  return /table|view|index|sequence/.test(what) ? [name] : [];
};

function createsAnywhere(kind: string, node: Node): boolean {
  if (!/^(?:Create(?!Schema|Extension|Trig|Policy)|View|Composite)/.test(kind)) return false;
  const target = [node.relation, node.view, node.sequence, node.typevar, (node.into as Node | undefined)?.rel].find(
    (one) => one !== undefined,
  );
  if (target) return (target as Node).schemaname === undefined;
  const name = [node.funcname, node.typeName, node.domainname, node.defnames].find(Array.isArray);
  return name === undefined || nameOf(name).schema === undefined;
}

function schemasOf(kind: string, node: Node): string[] {
  const found: unknown[] = [node.newschema];
  if (kind === 'CreateSchemaStmt') found.push(node.schemaname);
  if (node.kind === 'REINDEX_OBJECT_SCHEMA') found.push(node.name);
  if (node.removeType === 'OBJECT_SCHEMA') found.push(...dropsOf(kind, node).map(({ name }) => name.name));
  if (node.renameType === 'OBJECT_SCHEMA') found.push(node.subname, node.newname);
  if (kind === 'CommentStmt' && node.objtype === 'OBJECT_SCHEMA')
    found.push((node.object as { String?: { sval?: string } }).String?.sval);
  if (kind === 'GrantStmt') found.push(...grantedSchemas(node));
  for (const list of [node.funcname, node.domainname, node.typeName, node.defnames, node.sequence])
    if (Array.isArray(list)) found.push(nameOf(list).schema);
  if (kind === 'CommentStmt' || kind === 'AlterObjectSchemaStmt' || kind === 'RenameStmt')
    for (const [, inner] of nodesOf(node))
      for (const list of [inner.items, inner.names, inner.objname])
        if (Array.isArray(list)) found.push(nameOf(list).schema);
  for (const { name, what } of dropsOf(kind, node)) if (what !== 'schema') found.push(name.schema);
  return found.filter((one): one is string => typeof one === 'string' && one !== '' && one !== 'pg_catalog');
}

function grantedSchemas({ objtype, targtype, objects }: Node): unknown[] {
  const isSchema = objtype === 'OBJECT_SCHEMA' || targtype === 'ACL_TARGET_ALL_IN_SCHEMA';
  return Array.isArray(objects) && isSchema ? objects.map((object) => nameOf([object]).name) : [];
}

/** These refuse to run inside a transaction. */
function isAlone(kind: string, node: Node): boolean {
  if (kind === 'IndexStmt' || kind === 'DropStmt') return node.concurrent === true;
  if (kind === 'VacuumStmt') return node.is_vacuumcmd === true;
  if (kind === 'ReindexStmt') return optionsIn(node.params).has('concurrently');
  if (kind === 'AlterTableStmt') return /"concurrent":true/.test(JSON.stringify(node.cmds ?? ''));
  return false;
}
