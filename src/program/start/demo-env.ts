import { chmodSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Config } from '../../config/config.ts'
import type { DemoAccess } from '../../demo/demo.ts'

/**
 * Writes a file that a shell sources, so that the commands of README.md can be pasted as they stand: the address, the key and
 * an organization of the demo. The names are none of Kontor's own settings, so that a later start in that shell ignores them.
 */
export function writeDemoEnv({ dataDir, url }: Pick<Config, 'dataDir' | 'url'>, demo: DemoAccess): string {
  const file = join(dataDir, 'demo.env')
  const exports = { URL: url, KEY: demo.apiKey, ORGANIZATION: demo.organizationId ?? '' }
  const lines = Object.entries(exports).map(([name, value]) => `export ${name}='${value}'\n`)
  writeFileSync(file, lines.join(''), { mode: 0o600 })
  chmodSync(file, 0o600)
  return file
}
