/**
 * node:http and node:https as `require` returns them. Importing them also loads all of fetch (20 ms and 5 MB), because
 * an import reads every name they export.
 */
export const http = process.getBuiltinModule('node:http');
export const https = process.getBuiltinModule('node:https');
