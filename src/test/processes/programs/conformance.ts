import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fastify from 'fastify'
import { apiOperations as operations } from '../../../catalog/operations.ts'
import { readConfig } from '../../../config/config.ts'
import { newId } from '../../../core/values/id.ts'
import { startEmbedded } from '../../../db/embedded/embedded.ts'
import { migrate } from '../../../db/migrate.ts'
import { resilientPool } from '../../../db/pool.ts'
import { newKeySecret } from '../../../features/company/api-keys/api-key.ts'
import { mountMcp } from '../../../mcp/mount.ts'
import { createApp } from '../../../program/app.ts'
import { fixtureServe } from '../../conformance/fixture.ts'

/**
 * Two MCP servers for the official conformance suite: the product, and its endpoint with the fixtures of the suite. The
 * suite sends no credentials, so a key is added to each request first.
 */

const dataDir = mkdtempSync(join(tmpdir(), 'kontor-conformance-'))
const postgres = await startEmbedded({ dataDir, say: () => {}, purpose: 'test' })
const migrating = resilientPool({ ...postgres.config, max: 3 })
await migrate(migrating)
await migrating.end()

const port = Number(process.env.PORT)
const config = readConfig({ PORT: String(port), LOG_LEVEL: 'error', KONTOR_DATA: dataDir, RATE_LIMIT_SCALE: '100' })
const product = await createApp(config, postgres.config)
const secret = await newKey()
const withFixtures = fastify({ exposeHeadRoutes: false })
withFixtures.decorate('draining', false)
withFixtures.decorateRequest('trace', null as never)
withFixtures.setErrorHandler((error: { status?: number; message: string }, _, reply) =>
  reply.code(error.status ?? 500).send({ error: error.message }),
)
const dependencies = { config, operations, runner: product.runner, confined: product.confined }
const nothing = { note() {}, called() {}, seen() {}, async flush() {}, async close() {} }
const unlimited = { take: () => ({ limit: 1, remaining: 1, resetS: 1 }), refuseKnown() {} }
mountMcp(withFixtures, { ...dependencies, usage: nothing, limiter: unlimited }, { serve: fixtureServe() })

for (const { server } of [product.server, withFixtures]) {
  server.prependListener('request', ({ headers }) => {
    headers.authorization ??= `Bearer ${secret}`
  })
}
await product.server.listen({ host: '127.0.0.1', port })
const fixtures = await withFixtures.listen({ host: '127.0.0.1', port: 0 })
process.stdout.write(`${JSON.stringify({ product: `http://127.0.0.1:${port}/mcp`, fixtures: `${fixtures}/mcp` })}\n`)

process.on('SIGTERM', async () => {
  await Promise.all([withFixtures.close(), product.close()])
  await postgres.stop()
  rmSync(dataDir, { recursive: true, force: true })
  process.exit(0)
})

/** The secret of a key with every scope, of a new person. */
async function newKey(): Promise<string> {
  const [userId, organizationId] = [newId(), newId()]
  const { secret: made, ...stored } = newKeySecret()
  await product.system.use(async (db) => {
    await db
      .insertInto('users')
      .values({ id: userId, name: 'Suite', email: 'suite@example.test', passwordHash: null, disabledAt: null })
      .execute()
    await db
      .insertInto('apiKeys')
      .values({
        id: organizationId,
        userId,
        name: 'suite',
        scopes: ['*:*'],
        allOrgs: true,
        expiresAt: null,
        lastUsedAt: null,
        revokedAt: null,
        ...stored,
      })
      .execute()
  })
  return made
}
