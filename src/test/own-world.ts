/**
 * A test file that imports this has an API and a database of its own. The other files that import `world.ts` share one with
 * the files that run before and after them in the process, where each test has organizations and people of its own: creating
 * a database and warming its connections up takes longer than most files run.
 *
 * A file needs its own if it looks at rows of all organizations (`kontor verify`, queues, mail), enters exchange rates, which
 * belong to the installation, changes the API or the schema, or sets the clock.
 */
export {}
