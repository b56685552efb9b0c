/** Whether a key is of this database's own part of the store. */
export const hasPrefix = (key: string, home: string): boolean => key.startsWith(`${home}/`)
