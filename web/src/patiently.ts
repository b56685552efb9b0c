import { whenReachable } from './api.ts'

/** Loads a part of the app; if the server is away, when it is back. A part that is gone then is one of an older version. */
export const patiently = <T>(load: () => Promise<T>): Promise<T> => load().catch(() => whenReachable().then(load))
