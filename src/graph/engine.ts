/**
 * Where the graph is stored. An engine follows no rules of its own: it gets names that are trimmed and not empty, lists
 * without doubles and times as `2026-11-16T15:00:00.000Z` (graph.ts sees to that). Each one passes engine.contract.ts.
 *
 * Names are looked up exactly, then by their folded form (`foldedName`), if only one entity has it.
 *
 * What is true has a period: from `validFrom` up to but not including `validTo`. A missing bound is open. A read sees
 * what is valid at `asOf`; a relation is valid only while both its entities are.
 */
export interface GraphEngine extends AsyncDisposable {
  /**
   * Creates entities with their observations: all or nothing. One whose name exists (exactly) keeps its type, properties
   * and validity, and gets the observations that it does not have yet.
   */
  create(entities: readonly NewEntity[], by: Author): Promise<Created>;
  /**
   * All or nothing; throws `noSuchEntity`. A relation that exists already, for an overlapping period, stays as it is.
   * Both lists are in the order given.
   */
  relate(relations: readonly NewRelation[], by: Author): Promise<{ created: Relation[]; existing: Relation[] }>;
  /** All or nothing; throws `noSuchEntity`. A text that the entity has already, for an overlapping period, is not added. */
  observe(additions: readonly NewObservations[], by: Author): Promise<Observed[]>;
  /** Throws `noSuchEntity`, or `nameTaken` if the new name is another entity's. Two updates at once both take effect. */
  update(name: string, change: EntityChange): Promise<Entity>;
  /**
   * Ends the validity of what is valid at this time: all or nothing. Throws `noSuchEntity` or `nothingToEnd`.
   * Ending an entity hides its relations too.
   */
  end(what: Endings, at: string): Promise<void>;
  /** Deletes entities with their observations and relations, of every period. */
  deleteEntities(names: readonly string[]): Promise<{ deleted: string[]; missing: string[] }>;
  /** Deletes observations of every period; how many, and which did not exist. */
  deleteObservations(deletions: readonly ObservationNames[]): Promise<{ deleted: number; missing: ObservationNames[] }>;
  /** Deletes relations of every period; how many, and which did not exist. */
  deleteRelations(relations: readonly RelationName[]): Promise<{ deleted: number; missing: RelationName[] }>;
  /**
   * Moves the observations, relations and properties of entities to another one and deletes them: all or nothing. Drops
   * relations between them, and observations and relations that another one of the same text or type covers in time.
   * Properties that `into` has stay; its period becomes the shortest that covers all.
   */
  merge(names: readonly string[], into: string): Promise<Merged>;

  /** Entities by name, in the order given, with the relations at either end, oldest first. */
  open(names: readonly string[], reading: Reading & { relations: number }): Promise<Opened>;
  /** Observations of one entity, oldest first. Throws `noSuchEntity`. */
  observations(name: string, page: Page): Promise<PageOf<Observation>>;
  /** Everything, oldest first. */
  entities(page: Page & Reading): Promise<PageOf<Entity>>;
  relations(page: Page): Promise<PageOf<Relation>>;
  /** The names, oldest first. */
  heads(page: Page): Promise<PageOf<Head>>;
  /** About how many bytes of the store hold what a principal wrote. Absent if the graph is elsewhere. */
  stored?(principal: string): Promise<number>;
  /** By words, best first. */
  search(query: Query): Promise<Hit[]>;
  /** What can be reached from an entity, nearest first, without itself; and the relations that lead there. */
  neighbours(name: string, walk: Walk): Promise<Neighbourhood>;
  /** Entities with everything near them, themselves first; and all relations among these. */
  subgraph(names: readonly string[], walk: Omit<Walk, 'direction'>): Promise<Neighbourhood>;
  /** A shortest path, with at most `depth` relations; undefined if there is none. Throws `noSuchEntity`. */
  path(from: string, to: string, walk: Omit<Walk, 'limit'>): Promise<Path | undefined>;
  stats(asOf: AsOf): Promise<Stats>;
}

/** A time, or `any` for every period. */
export type AsOf = string;

/** Who wrote something. */
export interface Author {
  readonly principal: string;
  /** The client program. */
  readonly client?: string;
  /** The trace id of the call. */
  readonly call?: string;
}

export interface Validity {
  readonly validFrom?: string;
  readonly validTo?: string;
}

/** What the engine notes about everything written. */
export interface Provenance extends Validity {
  readonly recordedAt: string;
  readonly by: Author;
}

export type Properties = Readonly<Record<string, unknown>>;

/** An imported record may bring what the engine would note itself. */
export type Given = Partial<Provenance>;

export interface NewEntity extends Given {
  readonly name: string;
  readonly type: string;
  readonly properties?: Properties;
  readonly observations?: readonly NewObservation[];
}

export interface NewObservation extends Given {
  readonly text: string;
}

export interface NewObservations {
  readonly entity: string;
  readonly observations: readonly NewObservation[];
}

export interface RelationName {
  readonly from: string;
  readonly type: string;
  readonly to: string;
}

export interface NewRelation extends RelationName, Given {
  readonly properties?: Properties;
}

export interface Head {
  readonly name: string;
  readonly type: string;
}

export interface Entity extends Head, Provenance {
  readonly properties: Properties;
  /** Oldest first, at most as many as were asked for. */
  readonly observations: readonly Observation[];
  /** Of all its observations and relations. */
  readonly counts: { readonly observations: number; readonly relations: number };
}

export interface Observation extends Provenance {
  readonly id: string;
  readonly text: string;
}

export interface Relation extends RelationName, Provenance {
  readonly properties: Properties;
}

export interface Created {
  /** In the order given, with up to 1,000 observations each. */
  readonly created: Entity[];
  readonly existing: Observed[];
}

export interface Observed {
  /** As the entity spells it. */
  readonly entity: string;
  readonly added: Observation[];
  /** Texts that it had already. */
  readonly existing: string[];
}

export interface EntityChange {
  readonly name?: string;
  readonly type?: string;
  /** Merged key by key; null removes a key. */
  readonly properties?: Properties;
  /** Null opens the bound. */
  readonly validFrom?: string | null;
  readonly validTo?: string | null;
}

/** Observations by text or id. */
export interface ObservationNames {
  readonly entity: string;
  readonly observations: readonly string[];
}

export interface Endings {
  readonly entities: readonly string[];
  readonly observations: readonly ObservationNames[];
  readonly relations: readonly RelationName[];
}

export interface Merged {
  readonly entity: Entity;
  readonly merged: string[];
  readonly moved: { readonly observations: number; readonly relations: number };
  /** Properties of the merged entities whose values differ from those that stay. */
  readonly dropped: readonly { readonly entity: string; readonly property: string; readonly value: unknown }[];
}

export interface Reading {
  readonly asOf: AsOf;
  /** At most this many observations of each entity. */
  readonly observations: number;
}

export interface Opened {
  readonly entities: Entity[];
  readonly relations: Relation[];
  /** Whether there are more relations than were asked for. */
  readonly more: boolean;
  readonly missing: string[];
}

export interface Page {
  readonly asOf: AsOf;
  readonly limit: number;
  /** `next` of the previous page. */
  readonly after?: string;
}

export interface PageOf<T> {
  readonly items: T[];
  /** Absent after the last page. */
  readonly next?: string;
}

export interface Query {
  /** As it was asked, folded: for names and texts that contain it, if its words find nothing. */
  readonly text: string;
  /** Its words, as `termsOf` makes them. */
  readonly terms: readonly string[];
  readonly limit: number;
  readonly skip: number;
  readonly asOf: AsOf;
}

export interface Hit extends Head {
  readonly score: number;
  /** Where the words are; `about` is the type or a property. */
  readonly where: readonly ('name' | 'about' | 'observation')[];
  /** The observations with the words, best first, a few. */
  readonly observations: readonly Observation[];
}

export interface Walk {
  /** At most this many relations away. */
  readonly depth: number;
  /** Along relations (`out`), against them (`in`), or both ways. */
  readonly direction: 'out' | 'in' | 'both';
  /** Only relations of these types. */
  readonly types?: readonly string[];
  /** At most this many entities. */
  readonly limit: number;
  readonly asOf: AsOf;
}

export interface Near extends Head {
  /** How many relations away. */
  readonly distance: number;
}

export interface Neighbourhood {
  /** Nearest first, then oldest first. */
  readonly entities: Near[];
  readonly relations: Relation[];
  /** Whether something within the depth was left out. */
  readonly truncated: boolean;
}

/** `relations[i]` connects `entities[i]` and `entities[i + 1]`, in either direction. */
export interface Path {
  readonly entities: Head[];
  readonly relations: Relation[];
}

export interface Stats {
  readonly entities: number;
  readonly observations: number;
  readonly relations: number;
  /** Most frequent first. */
  readonly entityTypes: readonly { readonly type: string; readonly count: number }[];
  readonly relationTypes: readonly { readonly type: string; readonly count: number }[];
}
