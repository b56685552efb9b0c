/**
 * Whoever changes the schema holds it alone; whoever needs everything to stay where it is (a backup) shares it. What was
 * deleted is removed from the file store by somebody who holds it for a moment: the rows of a backup have their files.
 */
export const migrationLock = "hashtextextended('kontor migrations', 0)"
