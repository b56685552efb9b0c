/**
 * Waits for several statements that leave in one flush, and gives their results under the same names:
 * `const { inserted, found } = await pipeline({ inserted: insert.execute(), found: select.execute() })`.
 *
 * The properties are started statements. JavaScript evaluates them from top to bottom, so PostgreSQL gets the statements
 * in the order of the properties, and each sees the effects of those above it. A property may also be a value, or `false`
 * for a statement that is left out.
 */
export async function pipeline<Statements extends Record<string, unknown>>(
  statements: Statements,
): Promise<{ [Name in keyof Statements]: Awaited<Statements[Name]> }> {
  const names = Object.keys(statements)
  const results = await Promise.all(Object.values(statements))
  const named = Object.fromEntries(names.map((name, index) => [name, results[index]]))
  return named as { [Name in keyof Statements]: Awaited<Statements[Name]> }
}
