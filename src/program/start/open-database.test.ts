import { createServer, type Server, type Socket } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { resilientPool } from '../../db/pool.ts'
import { dropDatabase, emptyDatabase, newDatabase, urlOf } from '../../test/database.ts'
import { proxyTo } from '../../test/fakes/proxy.ts'
import { prepare, reach } from './open-database.ts'

/** Reaches a database as the start does. Returns the sentence that it fails with, and what it said meanwhile. */
async function reaching(connectionString: string) {
  const pool = resilientPool({ connectionString, max: 1, connectionTimeoutMillis: 5_000 })
  const said: string[] = []
  const failure = await reach(pool, (line) => said.push(line)).then(
    () => undefined,
    ({ name, message }: Error) => ({ name, message }),
  )
  await pool.end()
  return { failure, said }
}

/** A server that answers every connection by itself. Returns its port. */
async function answering(answer: (socket: Socket) => void): Promise<number> {
  const server: Server = createServer((socket) => {
    socket.on('error', () => {})
    answer(socket)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  return (server.address() as { port: number }).port
}

/** An error of PostgreSQL, in its protocol. */
function errorMessage(code: string, message: string): Buffer {
  const fields = Buffer.from(`SFATAL\0VFATAL\0C${code}\0M${message}\0\0`)
  const head = Buffer.from([0x45, 0, 0, 0, 0])
  head.writeInt32BE(fields.length + 4, 1)
  return Buffer.concat([head, fields])
}

/** A step of the exchange of passwords. */
function authentication(step: number, content: string): Buffer {
  const head = Buffer.from([0x52, 0, 0, 0, 0, 0, 0, 0, step])
  head.writeInt32BE(8 + content.length, 1)
  return Buffer.concat([head, Buffer.from(content)])
}

const refusing = (code: string, message: string) =>
  answering((socket) => socket.once('data', () => socket.end(errorMessage(code, message))))

test('an unknown database, login or host, or refused TLS, ends the start at once with a sentence', async () => {
  const database = await emptyDatabase()
  const wrong: [string, RegExp][] = [
    [urlOf({ ...database, database: 'nowhere' }), /has no such database .*"nowhere" does not exist/],
    [urlOf({ ...database, user: 'nobody' }), /refuses the login .*"nobody" does not exist/],
    ['postgres://kontor@no-such-host.invalid/kontor', /The host in DATABASE_URL is unknown/],
    [`${urlOf(database)}&sslmode=verify-full`, /does not offer TLS, and DATABASE_URL asks for it/],
    [`${urlOf(database)}&sslrootcert=/nowhere.pem`, /A file that DATABASE_URL names cannot be read/],
  ]
  for (const [url, says] of wrong)
    expect(await reaching(url)).toEqual({
      failure: { name: 'StartFailure', message: expect.stringMatching(says) },
      said: [],
    })
})

test('a wrong password ends the start at once, and a missing one is named', async () => {
  const port = await refusing('28P01', 'password authentication failed for user "kontor"')
  const { failure, said } = await reaching(`postgres://kontor:wrong@127.0.0.1:${port}/kontor`)
  expect(failure?.message).toMatch(/^The database refuses the login .*Check the user and the password in DATABASE_URL/)
  expect(failure?.message).not.toContain('wrong')
  expect(said).toEqual([])
  const asking = await answering((socket) => {
    socket.once('data', () => {
      socket.write(authentication(10, 'SCRAM-SHA-256\0\0'))
      socket.once('data', () => socket.write(authentication(11, 'r=nonce,s=c2FsdA==,i=4096')))
    })
  })
  const { failure: missing } = await reaching(`postgres://kontor@127.0.0.1:${asking}/kontor`)
  expect(missing?.message).toMatch(/asks for a password, and DATABASE_URL has none/)
})

test('a server that is starting is waited for', async () => {
  const database = await emptyDatabase()
  let asked = 0
  const port = await answering((socket) =>
    socket.once('data', () => {
      asked += 1
      socket.end(
        asked === 1
          ? errorMessage('57P03', 'the database system is starting up')
          : errorMessage('3D000', 'database "later" does not exist'),
      )
    }),
  )
  const { failure, said } = await reaching(`postgres://kontor@127.0.0.1:${port}/later`)
  expect(said).toEqual(['Waiting for the database: the database system is starting up'])
  expect(failure?.message).toMatch(/no such database/)
  expect((await reaching(urlOf(database))).failure).toBeUndefined()
})

test('FLT-04: a PostgreSQL that is starting up again after the first contact is waited for', async () => {
  const database = await newDatabase()
  onTestFinished(() => dropDatabase(database))
  const proxy = await proxyTo(database)
  onTestFinished(() => proxy.close())
  proxy.refuseAsStarting(2, 5) // the first contact succeeds; the next one, and the second one of the attempt after, do not
  const said: string[] = []
  await prepare({ ...database, host: proxy.host, port: proxy.port }, (line) => said.push(line))
  expect(said).toEqual(Array(2).fill('Waiting for the database: the database system is starting up'))
})
