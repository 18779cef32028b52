/** The result, or an error once it takes too long: a connection can be dead without a sign of it. */
export async function within<T>(ms: number, work: Promise<T>): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>();
  const late = () => reject(Object.assign(new Error(`it did not answer within ${ms} ms`), { code: 'ETIMEDOUT' }));
  const timer = setTimeout(late, ms);
  try {
    return await Promise.race([work, promise]);
  } finally {
    clearTimeout(timer);
  }
}
