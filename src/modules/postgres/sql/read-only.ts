import { AppError } from '../../../kernel/errors.ts';
import { isDenied } from './functions.ts';
import type { Node, Statement } from './parse.ts';
import { type Touched, touchedBy } from './touched.ts';

/** A statement that only reads, as far as its text says. What its functions do is in the database. */
export interface Reading {
  readonly statement: Statement;
  readonly touched: Touched;
  /** Whether rows of it can be chosen: it can stand in a FROM. */
  readonly isQuery: boolean;
}

/** Everything that may be in a query. What is not here is refused, so also what later versions add. */
const QUERY = new Set(
  `SelectStmt ResTarget ColumnRef ParamRef A_Expr A_Const A_Star A_Indices A_Indirection A_ArrayExpr TypeCast
  CollateClause FuncCall WindowDef RangeVar RangeSubselect RangeFunction RangeTableSample RangeTableFunc
  RangeTableFuncCol TypeName ColumnDef JoinExpr SortBy SubLink BoolExpr NullTest BooleanTest CaseExpr CaseWhen
  CoalesceExpr MinMaxExpr RowExpr SQLValueFunction XmlExpr XmlSerialize GroupingFunc GroupingSet NamedArgExpr
  CommonTableExpr String Integer Float Boolean BitString List Alias JsonFuncExpr JsonParseExpr JsonScalarExpr
  JsonSerializeExpr JsonObjectConstructor JsonArrayConstructor JsonArrayQueryConstructor JsonObjectAgg JsonArrayAgg
  JsonIsPredicate JsonTable JsonTableColumn JsonTablePathSpec JsonValueExpr JsonKeyValue JsonOutput JsonFormat
  JsonReturning JsonBehavior JsonArgument JsonAggConstructor`.split(/\s+/),
);

/** What a plan may also be made for. */
const PLANNED = new Set([
  ...QUERY,
  ...'InsertStmt UpdateStmt DeleteStmt MergeStmt MergeWhenClause IndexElem SetToDefault MultiAssignRef'.split(' '),
]);

const CHANGES = new Map([
  ['InsertStmt', 'INSERT'],
  ['UpdateStmt', 'UPDATE'],
  ['DeleteStmt', 'DELETE'],
  ['MergeStmt', 'MERGE'],
]);

/** Throws unless the statement only reads. */
export function readingOf(statement: Statement): Reading {
  const { kind, node } = statement;
  if (kind === 'VariableShowStmt') return { statement, touched: touchedBy({}), isQuery: false };
  if (kind === 'SelectStmt') return { statement, touched: queried({ SelectStmt: node }), isQuery: true };
  if (kind === 'ExplainStmt') return { statement, touched: explained(node), isQuery: false };
  throw refusal(`is ${worded(kind)}`);
}

/** What is explained is run if ANALYZE is among the options. */
function explained({ query, options }: Node): Touched {
  const runs = (Array.isArray(options) ? options : []).some(isAnalyze);
  const [kind] = Object.keys(query as object);
  if (runs || kind === 'SelectStmt') return queried(query, runs ? ' under EXPLAIN ANALYZE' : '');
  if (!CHANGES.has(kind ?? '')) throw refusal(`explains ${worded(kind ?? '')}`);
  return checked(query, PLANNED, '');
}

function isAnalyze(option: unknown): boolean {
  const { DefElem: element } = option as { DefElem?: { defname?: string; arg?: unknown } };
  if (element?.defname?.toLowerCase() !== 'analyze') return false;
  // It is on unless it is switched off, with a word or with 0.
  return !/^\{"String":\{"sval":"(?:false|off)"\}\}$|^\{"Integer":\{\}\}$/i.test(JSON.stringify(element.arg ?? ''));
}

const queried = (query: unknown, where = ''): Touched => checked(query, QUERY, where);

function checked(query: unknown, may: ReadonlySet<string>, where: string): Touched {
  const touched = touchedBy(query);
  if (touched.has.has('intoClause')) throw refusal(`creates a table with SELECT INTO${where}`);
  for (const kind of touched.kinds) {
    if (may.has(kind)) continue;
    if (kind === 'LockingClause') throw refusal(`locks rows with FOR UPDATE or FOR SHARE${where}`);
    throw refusal(`contains ${worded(kind)}${where}`);
  }
  needNoDenied(touched);
  return touched;
}

/** Throws if a function is called that no statement may call. */
export function needNoDenied({ functions, databases }: Touched): void {
  const denied = functions.find(({ name }) => isDenied(name));
  if (denied)
    throw new AppError(
      'forbidden',
      `The function ${denied.name} is out of reach: it can reach files, other sessions or other servers, or run hidden SQL. Nothing was run.`,
    );
  if (databases.length > 0)
    throw new AppError('unsupported', `Name tables without the database (${databases[0]}): schema.table.`);
}

const refusal = (what: string): AppError =>
  new AppError(
    'forbidden',
    `This statement ${what}, and only reading is allowed here: SELECT, VALUES, TABLE, SHOW and EXPLAIN. Nothing was run. What changes something goes to postgres_execute, if modules.postgres.mode is read-write.`,
  );

/** `DropStmt` as somebody would write it: DROP. */
export const worded = (kind: string): string =>
  CHANGES.get(kind) ??
  WORDS.get(kind) ??
  kind
    .replace(/Stmt$/, '')
    .replace(/(?<=[a-z])(?=[A-Z])/g, ' ')
    .toUpperCase();

const WORDS = new Map([
  ['CreateStmt', 'CREATE TABLE'],
  ['CreateTableAsStmt', 'CREATE TABLE AS'],
  ['ViewStmt', 'CREATE VIEW'],
  ['IndexStmt', 'CREATE INDEX'],
  ['VariableSetStmt', 'SET'],
  ['TransactionStmt', 'BEGIN, COMMIT or ROLLBACK'],
  ['CreatedbStmt', 'CREATE DATABASE'],
  ['DropdbStmt', 'DROP DATABASE'],
  ['GrantStmt', 'GRANT or REVOKE'],
  ['GrantRoleStmt', 'GRANT or REVOKE of a role'],
  ['CreateTrigStmt', 'CREATE TRIGGER'],
  ['CreateSeqStmt', 'CREATE SEQUENCE'],
  ['AlterSeqStmt', 'ALTER SEQUENCE'],
  ['RuleStmt', 'CREATE RULE'],
  ['RefreshMatViewStmt', 'REFRESH MATERIALIZED VIEW'],
  ['DeclareCursorStmt', 'DECLARE CURSOR'],
  ['CreatePLangStmt', 'CREATE LANGUAGE'],
  ['CreateRoleStmt', 'CREATE ROLE'],
  ['AlterRoleStmt', 'ALTER ROLE'],
  ['DropRoleStmt', 'DROP ROLE'],
  ['AlterSystemStmt', 'ALTER SYSTEM'],
  ['CheckPointStmt', 'CHECKPOINT'],
  ['CreateEventTrigStmt', 'CREATE EVENT TRIGGER'],
]);
