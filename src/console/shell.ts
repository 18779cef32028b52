import type { Bundle } from './bundle.ts';

/** Everything comes from here, nothing is inline, and nobody may frame it. */
const headers: Readonly<Record<string, string>> = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; connect-src 'self'; base-uri 'self'; form-action 'self'; frame-ancestors 'none'",
  'x-frame-options': 'DENY',
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'permissions-policy': 'camera=(), geolocation=(), microphone=()',
  'cache-control': 'no-cache',
};

/** The same document for every page of the console. It holds no data: the script asks for that. */
export function shellReply(request: Request, { script, style, preload }: Bundle): Response {
  const asset = (name: string) => `console/assets/${name}`;
  const body = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<base href="${rootFrom(new URL(request.url).pathname)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<meta name="color-scheme" content="light dark">
<title>Sluice</title>
<link rel="icon" href="${asset('icon.svg')}" type="image/svg+xml">
<link rel="stylesheet" href="${asset(style)}">
<script type="module" src="${asset(script)}"></script>
${preload.map((name) => `<link rel="modulepreload" href="${asset(name)}">`).join('\n')}
</head>
<body>
<div id="console"><p class="booting">Loading the console …</p></div>
<noscript><p class="booting">The console needs JavaScript. On the gateway's machine, <code>sluice status</code> shows the same.</p></noscript>
</body>
</html>
`;
  return new Response(body, { headers });
}

/** Relative, because a proxy may serve the gateway below a path that the gateway never sees. */
export function rootFrom(path: string): string {
  const depth = path.split('/').length - 2;
  return depth > 0 ? '../'.repeat(depth) : './';
}
