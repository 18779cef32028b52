/** Requests the page again with the key in a header and shows the answer. The key is not stored anywhere. */
export const signInScript = `'use strict';
const form = document.querySelector('form');
const field = form.querySelector('input');
const button = form.querySelector('button');
const problem = form.querySelector('[role=alert]');

function tell(text) {
  problem.textContent = text;
  problem.hidden = text === '';
  button.disabled = false;
}

function messageIn(text, status) {
  try {
    return JSON.parse(text).error.message;
  } catch {
    return 'The gateway answered with status ' + status + '.';
  }
}

form.addEventListener('submit', async (event) => {
  event.preventDefault();
  const key = field.value.trim();
  if (!/^[\\x21-\\x7e]+$/.test(key)) return tell('A key contains no spaces and no accented letters. Paste it again.');
  button.disabled = true;
  try {
    const answer = await fetch(location.pathname, {
      headers: { accept: 'text/html', authorization: 'Bearer ' + key },
      cache: 'no-store',
      credentials: 'omit',
      redirect: 'error',
    });
    const text = await answer.text();
    if (!answer.ok) return tell(messageIn(text, answer.status));
    const page = new DOMParser().parseFromString(text, 'text/html');
    document.documentElement.replaceWith(document.adoptNode(page.documentElement));
  } catch {
    tell('The gateway does not answer. Is it still running?');
  }
});

tell('');
`;
