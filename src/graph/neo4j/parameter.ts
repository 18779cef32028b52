/** A value as a parameter: the driver would send whole numbers as floats. */
export function parameter(value: unknown): unknown {
  if (typeof value === 'number') return Number.isSafeInteger(value) ? BigInt(value) : value;
  if (Array.isArray(value)) {
    const numbers = value.every((one) => typeof one === 'number');
    // A list in Neo4j has values of one kind.
    return numbers && !value.every((one) => Number.isSafeInteger(one)) ? value : value.map(parameter);
  }
  if (value === null || typeof value !== 'object' || Object.getPrototypeOf(value) !== Object.prototype) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, parameter(one)]));
}
