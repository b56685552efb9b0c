import type { DatabaseConfig } from '../../db/pool.ts'
import { createApp } from '../../program/app.ts'
import { testConfig, theDatabase } from '../world.ts'

/** An API of its own in this process, for what needs a second API but neither kills nor measures it. */
export async function startApiHere(
  env: Record<string, string> = {},
  database: DatabaseConfig = theDatabase(),
): Promise<{ url: string; close(): Promise<void> }> {
  const app = await createApp(testConfig(env), database)
  const url = await app.server.listen({ host: '127.0.0.1', port: 0 })
  return { url, close: app.close }
}
