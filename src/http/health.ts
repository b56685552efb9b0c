import type { FastifyInstance } from 'fastify'
import type { Ground } from './server.ts'

/** `/health`: the process answers. `/ready`: it can serve, database included. */
export function mountHealth(app: FastifyInstance, { system }: Ground) {
  const open = { config: { open: true }, exposeHeadRoute: true } as const
  app.get('/health', open, async () => ({ status: 'ok' }))
  app.get('/ready', open, async (_, reply) => {
    try {
      await system.use((_, connection) => connection.query('select 1'))
      return { status: 'ready' }
    } catch {
      return reply.code(503).send({ status: 'not ready', reason: 'the database cannot be reached' })
    }
  })
}
