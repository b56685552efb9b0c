import fastify from 'fastify'
import pg from 'pg'
import { newId } from '../src/core/values/id.ts'
import { toCamel } from '../src/db/names.ts'
import type { Statement } from '../src/db/wire/batch.ts'
import { answer } from './ipc.ts'

export type Raw = {
  database: pg.PoolConfig
  /** Our own statements, letter for letter. */
  get: Statement
  list: Statement
  count: Statement
  create: Statement
  /** A new document: itself, its lines, the trail of its events, what is read for the answer; and the ids that it made. */
  createDocument: { organizationId: string; statements: Statement[]; ids: string[] }
  /** The organization that lists are made of; row security adds it for us, here it is part of the query. */
  listed: string
  /** The organization that rows are created in: the column's default reads it from the session. */
  filled: string
}

/** Idle connections stay open: reconnecting would be part of the next repeat. */
const poolSize = { max: 12, idleTimeoutMillis: 0 }

/** The upper limit: bare Fastify and pg with the same SQL, without authorization, validation or auditing. */
answer({
  listen(raw: Raw): Promise<string> {
    // A plan is made once, as for our statements: PostgreSQL would plan the list of an organization given as a value every time.
    const settings = `-c app.organization=${raw.filled} -c plan_cache_mode=force_generic_plan`
    const pool = new pg.Pool({ ...raw.database, ...poolSize, options: settings })
    const app = fastify({ logger: false })

    app.get<{ Params: { id: string } }>('/customers/:id', async ({ params }) => {
      const { rows } = await pool.query({ name: 'get', text: raw.get.text, values: [params.id] })
      return rows[0]
    })

    const list = { name: 'list', ...within(raw.list, raw.listed) }
    const count = { name: 'count', ...within(raw.count, raw.listed) }
    app.get('/customers', async () => {
      const [page, counted] = await Promise.all([pool.query(list), pool.query(count)])
      return { customers: page.rows, total: Number(counted.rows[0].total) }
    })

    const fields = columnsOf(raw.create).map(toCamel)
    app.post<{ Body: Record<string, unknown> }>('/customers', async ({ body }, reply) => {
      // What the body does not have, such as the status, is what our operation inserts.
      const values = fields.map((field, at) => (field === 'id' ? newId() : (body[field] ?? raw.create.values[at])))
      const { rows } = await pool.query({ name: 'create', text: raw.create.text, values })
      reply.code(201)
      return rows[0]
    })

    const options = `-c app.organization=${raw.createDocument.organizationId}`
    const documentPool = new pg.Pool({ ...raw.database, ...poolSize, options })
    app.post('/documents', async (_, reply) => {
      const client = await documentPool.connect()
      try {
        reply.code(201)
        return await createDocument(client, raw.createDocument)
      } finally {
        client.release()
      }
    })

    return app.listen({ host: '127.0.0.1', port: 0 })
  },

  cpu: () => process.cpuUsage(),
})

/** In one transaction, statement after statement, with ids of its own. */
async function createDocument(client: pg.PoolClient, { statements, ids }: Raw['createDocument']) {
  const own = new Map<unknown, string>(ids.map((id) => [id, newId()]))
  let answer: unknown
  await client.query('begin')
  for (const [at, { text, values }] of statements.entries()) {
    const query = { name: `document ${at}`, text, values: values.map((value) => own.get(value) ?? value) }
    answer = (await client.query(query)).rows[0]
  }
  await client.query('commit')
  return answer
}

function within({ text, values }: Statement, organizationId: string) {
  const predicate = `where "organization_id" = $${values.length + 1}`
  return {
    text: text.replace(
      /from "customers"( where)?/,
      (_, where) => `from "customers" ${predicate}${where ? ' and' : ''}`,
    ),
    values: [...values, organizationId],
  }
}

const columnsOf = ({ text }: Statement) =>
  [...(/\(([^)]*)\)/.exec(text)?.[1] ?? '').matchAll(/"(\w+)"/g)].map(([, name = '']) => name)
