/**
 * node:http and node:https, as `require` gives them. To import them loads all of fetch as well (20 ms and 5 MB), because an
 * import reads every name they have.
 */
export const http = process.getBuiltinModule('node:http');
export const https = process.getBuiltinModule('node:https');
