import { CamelCasePlugin, type PluginTransformResultArgs } from 'kysely'

/** Names go to PostgreSQL in snake_case; on the way back row.ts has already made them camelCase, once per statement. */
export class CamelCase extends CamelCasePlugin {
  override async transformResult({ result }: PluginTransformResultArgs) {
    return result
  }
}
