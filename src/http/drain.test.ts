import { once } from 'node:events'
import { readFile } from 'node:fs'
import { type AddressInfo, connect } from 'node:net'
import { Worker } from 'node:worker_threads'
import fastify from 'fastify'
import { expect, test } from 'vitest'
import { drain } from './drain.ts'

const clients = 8

/** Sends a request on each of several connections, says when all of them have arrived, and then what was answered. */
const program = `
  const { connect } = require('node:net')
  const { parentPort, workerData: { port, clients, arrived } } = require('node:worker_threads')
  const flag = new Int32Array(arrived)
  const answers = Array.from({ length: clients }, () => new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.write('POST / HTTP/1.1\\r\\nhost: here\\r\\ncontent-length: 0\\r\\nconnection: close\\r\\n\\r\\n')
      if (Atomics.add(flag, 0, 1) + 1 === clients) Atomics.notify(flag, 0)
    })
    let received = ''
    socket.on('data', (piece) => { received += piece })
    socket.on('error', ({ code }) => resolve(code)).on('close', () => resolve(received.split('\\r\\n')[0]))
  }))
  Promise.all(answers).then((all) => parentPort.postMessage(all))`

/** When the event loop gets to stopping the server: in each of these it looks for connections at another moment. */
const moments: Record<string, (work: () => void) => void> = {
  'after a timer': (work) => setTimeout(work, 1),
  'after a file was read': (work) => readFile(new URL(import.meta.url), work),
  'at the end of a turn': (work) => setImmediate(work),
}

test.each(Object.entries(moments))(
  'connections that have arrived when the server stops %s are accepted and their requests answered',
  async (_, at) => {
    const server = fastify().decorate('draining', false)
    server.post('/', async () => 'done')
    await server.listen({ port: 0, host: '127.0.0.1' })
    const { port } = server.server.address() as AddressInfo
    const arrived = new SharedArrayBuffer(4)
    const worker = new Worker(program, { eval: true, workerData: { port, clients, arrived } })
    const stopped = new Promise<void>((resolve, reject) => {
      at(() => {
        // The event loop does not turn meanwhile, so that the kernel holds all of them.
        const flag = new Int32Array(arrived)
        for (let seen = 0; seen < clients; seen = Atomics.load(flag, 0)) Atomics.wait(flag, 0, seen, 100)
        drain(server, { proxied: false }).then(resolve, reject)
      })
    })
    const [answers] = await once(worker, 'message')
    expect(answers).toEqual(Array.from({ length: clients }, () => 'HTTP/1.1 200 OK'))
    await stopped
    const refused = connect(port, '127.0.0.1')
    const [error] = await once(refused, 'error')
    expect(error).toMatchObject({ code: 'ECONNREFUSED' })
  },
)
