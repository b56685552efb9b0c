/** Whether a key belongs to this database. */
export const hasPrefix = (key: string, home: string): boolean => key.startsWith(`${home}/`)
