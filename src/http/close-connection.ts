import type { Socket } from 'node:net'
import type { FastifyReply } from 'fastify'

const lingerMs = 500

/**
 * Ends the connection with this answer, although the caller may still be sending: what they send is no longer kept. For
 * a moment it is still read, or the caller's system would be told of a broken connection before it has read the answer.
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
