export interface LoginPage {
  title: string;
  text: string;
  status?: number;
  /** A button that uses the link. */
  go?: { label: string; ticket: string };
}

/** A page with a heading, a sentence and an optional button. It needs no script and cannot be framed. */
export function loginPage({ title, text, status = 200, go }: LoginPage): Response {
  const form = go
    ? `<form method="post"><input type="hidden" name="ticket" value="${escaped(go.ticket)}"><button>${escaped(go.label)}</button></form>`
    : '';
  const html = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escaped(title)}</title>
<style>
:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; }
main { max-width: 36rem; margin: 4rem auto; padding: 0 1rem; }
button { font: inherit; padding: .4rem 1.2rem; }
</style>
</head>
<body><main><h1>${escaped(title)}</h1><p>${escaped(text)}</p>${form}</main></body>
</html>`;
  return new Response(html, {
    status,
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
      // With no-referrer the browser would not send the form's origin, and the gate would refuse the form.
      'referrer-policy': go ? 'same-origin' : 'no-referrer',
      'x-content-type-options': 'nosniff',
      // No form-action: the form ends in a redirect to the sign-in page elsewhere, and browsers would block it.
      'content-security-policy':
        "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; base-uri 'none'",
    },
  });
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (sign) => entities[sign] as string);
}
