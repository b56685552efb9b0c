import { createServer, type Socket } from 'node:net'
import { SMTPServer, type SMTPServerOptions } from 'smtp-server'

/** Mail servers for tests: one that works, and one that follows a script, also a hostile one. */

export type Received = { from: string; to: string[]; user: string | undefined; raw: Buffer }

/** A real SMTP server that stores the mail it accepts. */
export async function mailbox(options: SMTPServerOptions = {}) {
  const received: Received[] = []
  const server = new SMTPServer({
    disabledCommands: ['STARTTLS', 'AUTH'],
    logger: false,
    ...options,
    onData(stream, session, callback) {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', () => {
        const { mailFrom, rcptTo } = session.envelope
        received.push({
          from: mailFrom ? mailFrom.address : '',
          to: rcptTo.map(({ address }) => address),
          user: session.user ? String(session.user) : undefined,
          raw: Buffer.concat(chunks),
        })
        callback()
      })
    },
  })
  server.on('error', () => {}) // clients that go away in the middle
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    received,
    port: portOf(server.server),
    close: () => new Promise<void>((resolve) => server.close(() => resolve())),
  }
}

/** What a scripted server does with a line; `reply` writes one. The line is undefined when a client connects. */
export type Script = (line: string | undefined, to: { reply(text: string): void; socket: Socket }) => void

export async function scripted(script: Script) {
  const sockets = new Set<Socket>()
  const lines: string[] = []
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => {})
    socket.on('close', () => sockets.delete(socket))
    const to = { socket, reply: (text: string) => void socket.write(`${text}\r\n`) }
    let rest = ''
    socket.on('data', (chunk) => {
      const parts = (rest + chunk.toString('latin1')).split('\r\n')
      rest = parts.pop() ?? ''
      for (const line of parts) {
        lines.push(line)
        script(line, to)
      }
    })
    script(undefined, to)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    lines,
    port: portOf(server),
    open: () => sockets.size,
    close: () =>
      new Promise<void>((resolve) => {
        for (const socket of sockets) socket.destroy()
        server.close(() => resolve())
      }),
  }
}

/** A script that answers correctly, except for the lines that `otherwise` answers. */
export function behaving(otherwise: (line: string) => string | undefined): Script {
  const inData = new WeakSet<Socket>()
  return (line, { reply, socket }) => {
    if (line === undefined) return reply('220 mail.test ESMTP')
    if (inData.has(socket)) {
      if (line !== '.') return
      inData.delete(socket)
    }
    const given = otherwise(line)
    if (given !== undefined) return given === '' ? undefined : reply(given)
    if (line === 'DATA') {
      inData.add(socket)
      return reply('354 Go ahead')
    }
    return reply(/^EHLO/.test(line) ? '250 mail.test' : '250 OK')
  }
}

const portOf = (server: { address(): unknown }) => (server.address() as { port: number }).port
