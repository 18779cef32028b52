// The health check of the image: it has no curl. Asks where Sluice listens, by the variables that say so.
const { PORT, SLUICE_HOST = '' } = process.env;
const everywhere = ['', '0.0.0.0', '::'].includes(SLUICE_HOST);
const host = everywhere ? '127.0.0.1' : SLUICE_HOST.includes(':') ? `[${SLUICE_HOST}]` : SLUICE_HOST;
const url = `http://${host}:${PORT || 3500}/health`;
try {
  const { status } = await fetch(url, { signal: AbortSignal.timeout(4000) });
  if (status !== 200) throw new Error(`answered ${status}`);
} catch (error) {
  console.error(`${url}: ${error.cause?.message ?? error.message}`);
  process.exit(1);
}
