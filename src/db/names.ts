import { PostgresQueryCompiler } from 'kysely'

/** snake_case to camelCase; a leading underscore stays (`_count`). */
export const toCamel = (name: string) => name.replace(/(?<=.)_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase())

export const toSnake = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

/** Writes camelCase names as snake_case while compiling; row.ts turns result columns back, once per statement. */
export class SnakeCaseCompiler extends PostgresQueryCompiler {
  protected override sanitizeIdentifier(identifier: string) {
    const name = cache.get(identifier) ?? toSnake(super.sanitizeIdentifier(identifier))
    cache.set(identifier, name)
    return name
  }
}

/** A cache without a limit: identifiers come from code, so there are few. */
const cache = new Map<string, string>()
