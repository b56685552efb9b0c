/** Where the web app begins: it opens the organization that the person used last. */
export const appPath = '/app'

/** The addresses that the web app answers. What stands below them is its own matter (web/src/routes.tsx). */
export const appAddresses = [appPath, '/welcome', '/you', '/o/*', '/documents/*'] as const
