import type { Socket } from 'node:net'
import type { FastifyReply } from 'fastify'

/** How long a connection is read and discarded after the last answer. */
export const lingerMs = 500

/**
 * Closes the connection after this answer, even if the caller is still sending. The rest of the body is read and discarded
 * for `lingerMs`: if the socket closed at once, the caller would see a reset connection instead of the answer.
 */
export function closeConnection(reply: FastifyReply) {
  reply.header('connection', 'close')
  const { raw } = reply.request
  const socket = raw.socket as Partial<Socket> | undefined
  if (raw.complete || !socket?.destroySoon) return
  socket.destroySoon = () => {
    raw.resume()
    socket.end?.()
    setTimeout(() => socket.destroy?.(), lingerMs).unref()
  }
}
