/** Water through a gate. */
export const icon = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="7" fill="#0b5cad"/><path d="M9 7v11M23 7v11M9 12h14" stroke="#fff" stroke-width="2.5" fill="none" stroke-linecap="round"/><path d="M5 22c3-3 5 3 8 0s5 3 8 0 4 1 6 0" stroke="#9fd0ff" stroke-width="2.5" fill="none" stroke-linecap="round"/></svg>`;
