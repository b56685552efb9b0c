import { fileURLToPath } from 'node:url'

/** The built web app stands beside the program. From sources, as in tests, there is none unless the caller names one. */
export const webFolder = fileURLToPath(new URL('./web', import.meta.url))
