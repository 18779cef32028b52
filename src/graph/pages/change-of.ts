type Properties = Readonly<Record<string, unknown>>;

/** What an update has to say to get from one to the other: it merges key by key, and null removes a key. */
export function changeOf(before: Properties, after: Properties): Properties {
  const old = new Map(Object.entries(before));
  const changed = Object.entries(after).filter(
    ([key, value]) => JSON.stringify(old.get(key)) !== JSON.stringify(value),
  );
  const gone = [...old.keys()].filter((key) => !Object.hasOwn(after, key)).map((key) => [key, null] as const);
  return Object.fromEntries([...changed, ...gone]);
}
