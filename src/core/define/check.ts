/** A rule that always holds, and the query that finds what breaks it: each row is a violation, described by its columns. */
export type Check = { id: string; says: string; finds: string }
