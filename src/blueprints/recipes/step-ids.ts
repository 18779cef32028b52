const LONGEST = 40;

/** Ids of steps: the name of the tool, with a number if it is called again. */
export function createStepIds(): (tool: string) => string {
  const taken = new Set<string>();
  return (tool) => {
    const name = tool
      .toLowerCase()
      .replace(/[^a-z0-9]+/g, '_')
      .replace(/^_+|_+$/g, '');
    // Words of the expression language have no underscore.
    const base = (/^[a-z]\w*_/.test(name) ? name : `call_${name}`).slice(0, LONGEST - 3);
    let id = base;
    for (let number = 2; taken.has(id); number++) id = `${base}_${number}`;
    taken.add(id);
    return id;
  };
}
