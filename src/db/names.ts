import { PostgresQueryCompiler } from 'kysely'

/** snake_case to camelCase; a leading underscore stays (`_count`). */
export const toCamel = (name: string) => name.replace(/(?<=.)_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase())

export const toSnake = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

/** Writes camelCase names as snake_case while compiling; row.ts turns result columns back, once per statement. */
export class SnakeCaseCompiler extends PostgresQueryCompiler {
  protected override sanitizeIdentifier(identifier: string) {
    const name = known.get(identifier) ?? toSnake(super.sanitizeIdentifier(identifier))
    known.set(identifier, name)
    return name
  }
}

/** Identifiers come from code, so there are only so many. */
const known = new Map<string, string>()
