import { once } from 'node:events'
import { closeSync, openSync, rmSync } from 'node:fs'
import { connect, createServer, type Server } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { codeOf } from '../start-failure.ts'

/**
 * A socket in the data folder that shows who is alive. Kontor listens on it, and PostgreSQL inherits it: the kernel closes it
 * when the last of these processes has ended, however they ended. Connecting to it works across containers of one kernel.
 */
export type LifeSocket = { descriptor: number; close(): void }

/** Undefined where there is none: systems other than Linux have no containers, and some network drives have no sockets. */
export async function openLifeSocket(dataDir: string, name: string): Promise<LifeSocket | undefined> {
  if (process.platform !== 'linux') return undefined
  const folder = openSync(dataDir, 'r')
  const server = createServer((client) => client.destroy())
  try {
    server.listen(within(folder, name))
    await once(server, 'listening')
    server.unref()
    const descriptor = descriptorOf(server)
    if (descriptor === undefined) throw new Error('This Node does not tell the descriptor of a server.')
    return {
      descriptor,
      close() {
        server.close()
        rmSync(join(dataDir, name), { force: true })
        closeSync(folder)
      },
    }
  } catch {
    server.close()
    closeSync(folder)
    return undefined
  }
}

/**
 * `answers`: a Kontor runs. `silent`: a process has the socket and does not answer: a suspended Kontor, or a PostgreSQL that
 * outlived its own. `closed`: no process has it, or none of this kernel. `unknown`: there is no such file, or no right to it.
 */
export type SignOfLife = 'answers' | 'silent' | 'closed' | 'unknown'

export async function probeLifeSocket(dataDir: string, name: string): Promise<SignOfLife> {
  if (process.platform !== 'linux') return 'unknown'
  const folder = openSync(dataDir, 'r')
  const socket = connect(within(folder, name))
  const answered = once(socket.resume(), 'close').then(() => 'answers' as const)
  try {
    await once(socket, 'connect')
    return await Promise.race([answered, sleep(1_000, 'silent' as const)])
  } catch (error) {
    const code = codeOf(error)
    if (code === 'EAGAIN') return 'silent' // so many have asked that the queue is full
    return code === 'ECONNREFUSED' ? 'closed' : 'unknown'
  } finally {
    answered.catch(() => {})
    socket.destroy()
    closeSync(folder)
  }
}

/** A short name for a file of an open folder: the path of a socket may have 107 bytes. */
const within = (folder: number, name: string) => `/proc/self/fd/${folder}/${name}`

/** The descriptor is a property of Node's own handle, which its types do not mention. */
function descriptorOf(server: Server): number | undefined {
  const handle: unknown = '_handle' in server ? server._handle : undefined
  const descriptor = typeof handle === 'object' && handle !== null && 'fd' in handle ? handle.fd : undefined
  return typeof descriptor === 'number' && descriptor >= 0 ? descriptor : undefined
}
